import { type Micros, microsPerDay, microsPerHour, microsPerSecond } from '../clock.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../store/transaction.ts'
import { stepJob } from './jobs.ts'
import { pruneSome } from './prune-queries.ts'
import { lookAhead } from './queue-queries.ts'
import { save } from './save.ts'
import type { Shift } from './shift.ts'
import { fill, keepUp, takeUp } from './take-up.ts'
import type { Round } from './wheel.ts'

/** How often to look without being told: in a database that others share, a word may get lost. */
const longestSleep = 5 * microsPerSecond
const sleepWhileSending = microsPerSecond

/** One round: write down what is over, take up what is due, fill the free places, do a step of the long jobs. */
export async function turn(shift: Shift, keepHouse: () => Promise<boolean>): Promise<Round> {
  const { app } = shift
  const saved = await save(shift)
  if (shift.phase !== 'working') return { moved: saved }
  const { arrived, due, jobs, nextAt } = await lookAhead(app.store, app.clock.now())
  const taken = (arrived || due) && (await takeUp(shift))
  const told = await keepUp(shift)
  await fill(shift)
  const stepped = jobs && (await stepJob(app))
  const kept = await keepHouse()
  // After a round in which something moved comes another: a queue with nothing to send after all is let go in it.
  return { moved: saved || taken || told || stepped || kept, lookAgainAt: nextLook(shift, nextAt) }
}

function nextLook({ app, held }: Shift, nextAt: Micros | undefined): Micros {
  const longest = app.clock.now() + (held.size > 0 ? sleepWhileSending : longestSleep)
  return Math.min(longest, nextAt ?? longest)
}

/** Once an hour removes what is older than it has to be, a little per round. */
export function housekeeper(app: App): () => Promise<boolean> {
  const keptFor = app.config.deliveryRetentionDays * microsPerDay
  let nextAt = 0
  return async () => {
    const now = app.clock.now()
    if (now < nextAt) return false
    const more = await inTransaction(app, ({ store }) => pruneSome(store, now - keptFor))
    if (!more) nextAt = now + microsPerHour
    return more
  }
}
