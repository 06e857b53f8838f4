import { temporaryFolder } from '../data/folder.ts'
import { publish, publishSteps } from '../outbound/publish.ts'
import { startReceiver } from '../outbound/receiver.ts'
import { soon, soonSteps } from '../outbound/soon.ts'
import { throughput, throughputSteps } from '../outbound/throughput.ts'
import { workers, workersSteps } from '../outbound/workers.ts'
import type { Scenario } from './scenario.ts'

/** What is sent to receivers: how fast, how soon, at what cost, and how little one receiver troubles another. */
export const outbound: Scenario = {
  steps: (options) =>
    [throughputSteps, soonSteps, publishSteps, workersSteps].reduce((sum, steps) => sum + steps(options), 0),
  async run(options, progress) {
    using folder = temporaryFolder()
    await using receiver = await startReceiver()
    const setting = { ...options, progress, receiver }
    return [
      await throughput(setting, folder),
      await soon(setting, folder),
      await publish(setting, folder),
      await workers(setting),
    ]
  },
}
