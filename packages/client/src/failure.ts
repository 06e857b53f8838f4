import type { ErrorDetails } from './errors/details.ts'
import { AbortedError, type AnyServiceError, TimeoutError } from './errors/family.ts'
import { knownOnly } from './known-only.ts'
import type { Trip } from './trip.ts'

type Kind<Failure, Fields> = new (message: string, details: ErrorDetails & Fields) => Failure

/** Makes an error with all that is known of the attempt, and with the caller's line in its stack. */
export function failure<Failure extends AnyServiceError, Fields extends object>(
  Kind: Kind<Failure, Fields>,
  { trip, complaint, retryable = false, fields }: Complaint<Fields>,
): Failure {
  const { call, attempts, delivered, status, requestId, retryAfterMs } = trip
  const error = new Kind(`${call.method} ${call.route} ${complaint}`, {
    method: call.method,
    route: call.route,
    attempts,
    durationMs: Math.round(call.settings.clock() - call.startedAt),
    delivered,
    retryable,
    ...knownOnly({ status, requestId, retryAfterMs, idempotencyKey: call.idempotencyKey }),
    ...fields,
  })
  // The error is made long after the call, where no frame is the caller's. The call has kept where it was made.
  error.stack = `${error.name}: ${error.message}\n${call.site.stack?.replace(/^Error.*\n/, '')}`
  return error
}

interface Complaint<Fields> {
  readonly trip: Trip
  /** The rest of a sentence that begins with method and route. */
  readonly complaint: string
  readonly retryable?: boolean
  readonly fields: Fields
}

export function timedOut(trip: Trip, scope: 'attempt' | 'deadline'): TimeoutError {
  const { call, delivered } = trip
  const option = scope === 'attempt' ? `timeoutMs, ${call.timeoutMs}` : `deadlineMs, ${call.deadlineMs}`
  const complaint = `took too long (${option} ms).`
  return failure(TimeoutError, { trip, complaint, retryable: call.repeatable || delivered === 'no', fields: { scope } })
}

export function aborted(trip: Trip): AbortedError {
  const error = failure(AbortedError, { trip, complaint: "was aborted by the caller's signal.", fields: {} })
  // Not enumerable, as every `cause`: the reason is the caller's own and no log of ours shows it by itself.
  return Object.defineProperty(error, 'cause', { value: trip.call.signal?.reason })
}
