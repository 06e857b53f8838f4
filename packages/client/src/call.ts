import type { ErrorDetails } from './errors/details.ts'
import { type AnyServiceError, isServiceError } from './errors/family.ts'
import { omitUndefined } from './omit-undefined.ts'

/** What is known about a call that succeeded. */
export interface CallMeta {
  readonly status: number
  /** The platform's `X-Request-Id`, for its operators. */
  readonly requestId?: string
  /** Requests that were sent. */
  readonly attempts: number
  readonly durationMs: number
  /** The key that was sent as `Idempotency-Key`. */
  readonly idempotencyKey?: string
  /** The response headers, with names in lower case, except those that may contain secrets, such as cookies. */
  readonly headers: Readonly<Record<string, string>>
}

/** What is known about a failed call. The error has the same fields. */
export type FailureMeta = Pick<ErrorDetails, 'status' | 'requestId' | 'attempts' | 'durationMs' | 'idempotencyKey'>

export interface WithMeta<Data> {
  readonly data: Data
  readonly meta: CallMeta
}

/** Success or failure as a value. `ok` tells them apart. Without `strict`, TypeScript does not narrow by it, so both have all properties. */
export type SafeResult<Data> =
  | { readonly ok: true; readonly data: Data; readonly error?: undefined; readonly meta: CallMeta }
  | { readonly ok: false; readonly data?: undefined; readonly error: AnyServiceError; readonly meta: FailureMeta }

/**
 * A running call, which can be read in three ways: awaited, with `safe()`, or with `withMeta()`. It is sent only once,
 * however often it is read. Awaited, it returns the data or throws a `ServiceError`.
 */
export interface Call<Data> extends Promise<Data> {
  /** Never throws. Returns `{ok: true, data, meta}` or `{ok: false, error, meta}`. */
  safe(): Promise<SafeResult<Data>>
  /** Returns the data with status, request id, attempts and duration. Throws like the call itself. */
  withMeta(): Promise<WithMeta<Data>>
}

export interface Completed<Data> {
  readonly data: Data
  /** Computed only when requested. */
  readonly meta: () => CallMeta
}

// All internal code rejects with errors of this package. Any other error is a bug and is rethrown.
export function assertServiceError(error: unknown): AnyServiceError {
  if (isServiceError(error)) return error
  throw error
}

export function toCall<Data>(completed: Promise<Completed<Data>>): Call<Data> {
  // Each promise is created on demand, so that using one leaves no unhandled rejection of another.
  const data = () => completed.then((done) => done.data)
  return {
    [Symbol.toStringTag]: 'Call',
    // biome-ignore lint/suspicious/noThenProperty: being awaitable is what a call is for
    then: (onData, onError) => data().then(onData, onError),
    catch: (onError) => data().catch(onError),
    finally: (onEnd) => data().finally(onEnd),
    withMeta: () => completed.then((done) => ({ data: done.data, meta: done.meta() })),
    safe: () =>
      completed.then(
        (done) => ({ ok: true, data: done.data, meta: done.meta() }),
        (error: unknown) => failed(assertServiceError(error)),
      ),
  }
}

function failed(error: AnyServiceError): SafeResult<never> {
  const { status, requestId, attempts, durationMs, idempotencyKey } = error
  return { ok: false, error, meta: { attempts, durationMs, ...omitUndefined({ status, requestId, idempotencyKey }) } }
}
