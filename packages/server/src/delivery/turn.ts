import { type Micros, microsPerSecond } from '../clock.ts'
import type { Round } from '../wheel.ts'
import { lookAhead } from './ahead-queries.ts'
import { stepJob } from './jobs.ts'
import { save } from './save.ts'
import { giveBack } from './sharing.ts'
import type { Shift } from './shift.ts'
import { fill, keepUp, takeUp } from './take-up.ts'

/** How often to look without being told: in a database that others share, a word may get lost. */
const longestSleep = 5 * microsPerSecond
const sleepWhileSending = microsPerSecond

/** One round: write down what is over, take up what is due, fill the free places, do a step of the long jobs. */
export async function turn(shift: Shift): Promise<Round> {
  const { app } = shift
  giveBack(shift)
  const saved = await save(shift)
  if (shift.phase !== 'working') return { moved: saved }
  const { arrived, due, jobs, nextAt } = await lookAhead(app.store, app.clock.now())
  const taken = (arrived || due) && (await takeUp(shift))
  const told = await keepUp(shift)
  await fill(shift)
  const stepped = jobs && (await stepJob(app))
  // After a round in which something moved comes another: a queue with nothing to send after all is let go in it.
  return { moved: saved || taken || told || stepped, lookAgainAt: nextLook(shift, nextAt) }
}

function nextLook({ app, held }: Shift, nextAt: Micros | undefined): Micros {
  const longest = app.clock.now() + (held.size > 0 ? sleepWhileSending : longestSleep)
  return Math.min(longest, nextAt ?? longest)
}
