import { type Micros, microsPerSecond } from '../clock.ts'
import { dropReady, type HeldQueue, limitOf } from './held-queue.ts'
import { mostHeld, mostInFlight, type Shift } from './shift.ts'

// Workers on one database share its queues without speaking to each other: each leases only as many as should fill its
// free places, leaves the rest to the others for a moment, and gives back what it has too much of.

/** What a queue is thought to have before one was looked into. */
export const firstPerQueue = 32
/** How long a full worker leaves a due queue to those who have places. */
const patience = microsPerSecond / 2
const overPatience = 4
const giveAtMostEvery = microsPerSecond / 4

export interface Leaseable {
  readonly places: number
  /** Only queues that were due by then. */
  readonly dueBy: Micros
}

/** How many queues to lease. */
export function leaseable(shift: Shift, now: Micros): Leaseable {
  const left = mostHeld - shift.held.size
  if (!isShared(shift)) return { places: shift.inFlight < mostInFlight ? left : 0, dueBy: now }
  const free = mostInFlight - demandOn(shift)
  if (free <= 0) return { places: Math.min(left, overPatience), dueBy: now - patience }
  return { places: Math.min(left, Math.ceil(free / shift.perQueue)), dueBy: now }
}

/** Where there is clearly more to send than there are places, lets go of the queue that has the least under way. */
export function giveBack(shift: Shift): void {
  const now = shift.app.clock.now()
  if (!isShared(shift) || shift.inFlight < mostInFlight || now - shift.gaveAt < giveAtMostEvery) return
  const [least] = [...shift.held.values()]
    .filter(({ isLeaving }) => !isLeaving)
    .sort((one, other) => one.inFlight - other.inFlight)
  if (least === undefined || demandOn(shift) - demandOf(least) < mostInFlight) return
  shift.gaveAt = now
  least.isLeaving = true
  dropReady(least)
}

const isShared = ({ app }: Shift) => app.store.signals !== undefined

/** The places that a queue would take if it got all it may have. */
const demandOf = (queue: HeldQueue): number => Math.min(limitOf(queue), queue.inFlight + queue.ready.length)

const demandOn = ({ held }: Shift): number => [...held.values()].reduce((sum, queue) => sum + demandOf(queue), 0)
