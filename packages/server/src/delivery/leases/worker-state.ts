import type { App } from '../../context.ts'
import type { AttemptRow } from '../dispatch/record-queries.ts'
import type { Sender, SendInterceptor } from '../dispatch/send.ts'
import type { Bodies, LeasedQueue } from './leased-queue.ts'

export interface WorkerState {
  readonly app: App
  readonly sender: Sender
  readonly interceptSend: SendInterceptor
  /** Writes down, where it matters, that the machine's clock was set. */
  readonly noteSchedule: () => Promise<void>
  readonly token: string
  readonly leaseMs: number
  readonly leased: Map<number, LeasedQueue>
  readonly bodies: Bodies
  /** How many deliveries a queue had, in the mean of the last ones that were looked into. */
  meanQueueLength: number
  /** When a queue was last given to others, as the clock measures. */
  lastReleasedAtMs: number
  outcomes: RecordableOutcome[]
  /** Whether what is finished should be recorded now: it is many, or it has waited long enough. */
  shouldFlush: boolean
  inFlight: number
  /** From `stopping` on nothing is begun; what is under way is finished, unless it was `aborted`. */
  phase: 'working' | 'stopping' | 'aborted'
  onFinished: () => void
}

export interface RecordableOutcome {
  readonly queue: LeasedQueue
  readonly attempt: AttemptRow
}

export const maxInFlight = 256
export const maxLeasedQueues = 256
/** More bodies than this are not fetched; a larger one goes alone. */
export const maxBodyBytesInMemory = 32 * 1024 * 1024
