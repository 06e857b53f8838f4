import type { AttemptState } from './attempt.ts'
import type { ErrorDetails } from './errors/details.ts'
import { AbortedError, type AnyServiceError, TimeoutError } from './errors/family.ts'
import { omitUndefined } from './omit-undefined.ts'

type Kind<Failure, Fields> = new (message: string, details: ErrorDetails & Fields) => Failure

/** Creates an error with everything known about the attempt, and with the caller's line in its stack. */
export function createError<Failure extends AnyServiceError, Fields extends object>(
  Kind: Kind<Failure, Fields>,
  { attempt, message, retryable = false, fields }: ErrorInput<Fields>,
): Failure {
  const { call, attempts, delivered, status, requestId, retryAfterMs } = attempt
  const error = new Kind(`${call.method} ${call.path} ${message}`, {
    method: call.method,
    route: call.path,
    attempts,
    durationMs: Math.round(call.settings.clock() - call.startedAt),
    delivered,
    retryable,
    ...omitUndefined({ status, requestId, retryAfterMs, idempotencyKey: call.idempotencyKey }),
    ...fields,
  })
  // When the error is created, the caller is no longer on the stack. So the call has recorded the caller's stack.
  error.stack = `${error.name}: ${error.message}\n${call.callerStack()}`
  return error
}

interface ErrorInput<Fields> {
  readonly attempt: AttemptState
  /** The end of a sentence that starts with method and route. */
  readonly message: string
  readonly retryable?: boolean
  readonly fields: Fields
}

export function timeoutError(attempt: AttemptState, scope: 'attempt' | 'deadline'): TimeoutError {
  const { call, delivered } = attempt
  const option = scope === 'attempt' ? 'timeoutMs' : 'deadlineMs'
  const message = `took too long (${option}, ${call[option]} ms).`
  return createError(TimeoutError, {
    attempt,
    message,
    retryable: call.repeatable || delivered === 'no',
    fields: { scope },
  })
}

export function abortedError(attempt: AttemptState): AbortedError {
  const error = createError(AbortedError, { attempt, message: "was aborted by the caller's signal.", fields: {} })
  return withCause(error, attempt.call.signal?.reason)
}

/** Not enumerable, so that logs do not print the application's error, which may contain secrets. */
export const withCause = <Failure extends AnyServiceError>(error: Failure, cause: unknown): Failure =>
  Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true })
