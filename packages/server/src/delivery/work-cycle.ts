import type { Micros } from '../core/clock.ts'
import type { Iteration } from '../runtime/run-loop.ts'
import { flushOutcomes } from './dispatch/flush-outcomes.ts'
import { releaseExcess } from './leases/lease-balancing.ts'
import { acquireLeases, prefetch, refreshLeases } from './leases/lease-queues.ts'
import { peekPendingWork } from './leases/pending-work-queries.ts'
import type { WorkerState } from './leases/worker-state.ts'
import { stepJob } from './redelivery/redelivery.ts'

/** How often to look without being told: in a database that others share, a word may get lost. */
const longestSleepMs = 5000
const sleepWhileSendingMs = 1000

/** One round: write down what is over, take up what is due, fill the free places, do a step of the long jobs. */
export async function runCycle(worker: WorkerState): Promise<Iteration> {
  const { app } = worker
  await worker.noteSchedule()
  releaseExcess(worker)
  const saved = await flushOutcomes(worker)
  if (worker.phase !== 'working') return { didWork: saved }
  const { arrived, due, jobs, nextAt } = await peekPendingWork(app)
  const leased = (arrived || due) && (await acquireLeases(worker))
  const refreshed = await refreshLeases(worker)
  await prefetch(worker)
  const stepped = jobs && (await stepJob(app))
  // After a round in which something moved comes another: a queue with nothing to send after all is let go in it.
  return { didWork: saved || leased || refreshed || stepped, nextRunInMs: msToNextLook(worker, nextAt) }
}

function msToNextLook({ app, leased }: WorkerState, nextAt: Micros | undefined): number {
  const longest = leased.size > 0 ? sleepWhileSendingMs : longestSleepMs
  return nextAt === undefined ? longest : Math.min(longest, (nextAt - app.clock.scheduleNow()) / 1000)
}
