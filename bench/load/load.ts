import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { end, launch } from '../processes/pinned.ts'
import type { ServerProcess } from '../processes/server.ts'
import { cpuMicros } from '../processes/usage.ts'
import type { Outcome, Plan } from './plan.ts'

/** What one measurement of a server gave. */
export interface LoadSample {
  readonly requestsPerSecond: number
  readonly cpuMicrosPerRequest: number
}

/** The load process, kept for a whole scenario so that it is warm. */
export interface Load extends AsyncDisposable {
  measure(server: ServerProcess, plan: Omit<Plan, 'origin'>): Promise<LoadSample>
}

export function startLoad(): Load {
  const args = [fileURLToPath(new URL('./generator.ts', import.meta.url))]
  const child = launch({ role: 'load', args, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`The load process ended with ${code}.`)
  })
  died.catch(() => undefined) // it ends when the scenario does
  return {
    async measure({ baseUrl, pid }, plan) {
      const answered = once(child, 'message')
      const before = cpuMicros(pid)
      child.send({ ...plan, origin: new URL(baseUrl).origin })
      const [outcome] = (await Promise.race([answered, died])) as [Outcome] // generator.ts sends nothing else
      const cpu = cpuMicros(pid) - before
      requireExpected(outcome)
      return {
        requestsPerSecond: outcome.requests / outcome.seconds,
        cpuMicrosPerRequest: cpu / outcome.requests,
      }
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

function requireExpected({ unexpected }: Outcome): void {
  const statuses = Object.entries(unexpected).map(([status, count]) => `${status} (${count} times)`)
  if (statuses.length > 0) throw new Error(`The server answered ${statuses.join(', ')}; a fast refusal is no result.`)
}
