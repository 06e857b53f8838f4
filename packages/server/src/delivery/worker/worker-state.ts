import type { App } from '../../context.ts'
import type { Bodies, LeasedQueue } from '../queues/leased-queue.ts'
import type { AttemptRow } from '../queues/record-queries.ts'
import type { QueueRef } from '../table.ts'
import type { Sender, SendInterceptor } from './send.ts'

export interface WorkerState {
  readonly app: App
  readonly sender: Sender
  readonly interceptSend: SendInterceptor
  /** Stores the schedule's offset from the wall clock, in databases that need it. */
  readonly saveScheduleOffset: () => Promise<void>
  readonly token: string
  readonly leaseMs: number
  readonly leased: Map<number, LeasedQueue>
  readonly bodies: Bodies
  /** The queues of subscriptions whose secrets this worker cannot read, by subscription. */
  readonly unreadable: Map<number, QueueRef>
  /** When it tries to read them again, on the monotonic clock. */
  rereadAtMs: number
  /** Moving average of the deliveries found per queue. */
  meanQueueLength: number
  /** When a queue was last handed over to other workers, on the monotonic clock. */
  lastReleasedAtMs: number
  /** The workspace whose job ran a step last. */
  lastJobWorkspaceId: number
  outcomes: RecordableOutcome[]
  /** Whether to record outcomes now: enough are pending, or they have waited long enough. */
  shouldFlush: boolean
  inFlight: number
  /** By workspace. */
  readonly inFlightOf: Map<number, number>
  /** From `stopping` on, no request starts. In-flight requests finish, unless the worker is `aborted`. */
  phase: 'working' | 'stopping' | 'aborted'
}

export interface RecordableOutcome {
  readonly queue: LeasedQueue
  readonly attempt: AttemptRow
}

export const maxInFlight = 256
export const maxLeasedQueues = 256
/**
 * Beyond these limits, each workspace may have a few requests in flight, so that one whose many receivers do not answer
 * does not delay the others.
 */
export const reservedOfWorkspace = 4
export const maxReserved = 64
/** The limit for bodies in memory. A larger body is sent alone. */
export const maxBodyBytesInMemory = 32 * 1024 * 1024
