import type { Micros } from '../clock.ts'
import type { App } from '../context.ts'
import type { Carry } from './carry.ts'
import type { HeldQueue } from './held-queue.ts'
import type { AttemptRow } from './record-queries.ts'
import type { Sender } from './send.ts'

/** What one worker has in its hands. */
export interface Shift {
  readonly app: App
  readonly sender: Sender
  readonly carry: Carry
  /** Names the worker in its leases. */
  readonly token: string
  readonly leaseMs: number
  readonly held: Map<number, HeldQueue>
  readonly bodies: Bodies
  /** How many deliveries a queue had, in the mean of the last ones that were looked into. */
  perQueue: number
  /** When a queue was last given to others. */
  gaveAt: Micros
  /** Attempts that are over and not recorded yet. */
  finished: Finished[]
  /** Whether what is finished should be recorded now: it is many, or it has waited long enough. */
  ripe: boolean
  inFlight: number
  /** From `stopping` on nothing is begun; what is under way is finished, unless it was `aborted`. */
  phase: 'working' | 'stopping' | 'aborted'
  /** Called after each attempt. */
  onFinished: () => void
}

/** The bodies in a worker's memory, fetched or under way. */
export interface Bodies {
  bytes: number
}

export interface Finished {
  readonly queue: HeldQueue
  readonly attempt: AttemptRow
}

/** How many requests and how many leased queues a worker has at most. */
export const mostInFlight = 256
export const mostHeld = 256
/** More bodies than this are not fetched; a larger one goes alone. */
export const mostBodyBytes = 32 * 1024 * 1024
