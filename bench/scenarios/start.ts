import { setTimeout as sleep } from 'node:timers/promises'
import { interleave, type Sample, type Scenario } from '../measure.ts'
import {
  cpuMicros,
  type RunningServer,
  rssMegabytes,
  startJsonServer,
  startPlatform,
  startProgram,
  temporaryFolder,
} from '../processes.ts'
import { listRequests, seed, writeJsonFile } from '../seed.ts'

const idleMs = 1500

export const start: Scenario = {
  title: 'Start: from spawn to the first list',
  method: `A new process each time, with 1000 stored tickets. CPU is the CPU time up to the first list, and memory is measured
after ${idleMs} ms without requests.`,
  async measure(options) {
    using folder = temporaryFolder()
    const seeded = await seed(folder.path('platform'), 1000)
    const floorArgs = [folder.path('floor.db'), JSON.stringify(seeded)]
    await (await startProgram('floor.ts', ...floorArgs, '1000'))[Symbol.asyncDispose]()
    const [list] = listRequests(seeded)
    const jsonFile = writeJsonFile(folder.path('db.json'))
    const timed = (launch: () => Promise<RunningServer>, path = list?.path) =>
      timedStart(launch, { path: path ?? '/', headers: list?.headers ?? {} })
    return await interleave(
      {
        'floor: node:http + better-sqlite3 by hand': () =>
          timed(() => startProgram('floor.ts', folder.path('floor.db'), '[]')),
        'platform, existing data': () => timed(() => startPlatform(folder.path('platform'))),
        'platform, new data directory': () =>
          timed(() => startPlatform(folder.path(`new-${performance.now()}`)), '/readyz'),
        'json-server': () => timed(() => startJsonServer(jsonFile), '/tickets'),
      },
      options,
    )
  },
}

/** The time from the spawn of a process to its first response, and its memory at rest. */
export async function timedStart(
  launch: () => Promise<RunningServer>,
  { path, headers }: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
): Promise<Sample> {
  const startedAt = performance.now()
  await using server = await launch()
  const response = await fetch(`${server.origin}${path}`, { headers })
  if (!response.ok) throw new Error(`The first list was answered with ${response.status}.`)
  await response.text()
  const sample = { ms: performance.now() - startedAt, 'CPU ms': cpuMicros(server.pid) / 1000 }
  await sleep(idleMs)
  return { ...sample, 'RSS MB': rssMegabytes(server.pid) }
}
