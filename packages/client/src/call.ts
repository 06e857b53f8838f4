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
  /** Those of the answer's headers that are known to hold nothing secret, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** What is known about a call that failed; the error has it all too. */
export type FailureMeta = Pick<ErrorDetails, 'status' | 'requestId' | 'attempts' | 'durationMs' | 'idempotencyKey'>

export interface WithMeta<Data> {
  readonly data: Data
  readonly meta: CallMeta
}

/** Success or failure as a value; `ok` tells which. */
export type SafeResult<Data> =
  | { readonly ok: true; readonly data: Data; readonly meta: CallMeta }
  | { readonly ok: false; readonly error: AnyServiceError; readonly meta: FailureMeta }

/**
 * A call that is on its way, seen in one of three ways. However often and in whatever way it is looked at, it is one
 * call. Awaited, it gives the data or throws a `ServiceError`.
 */
export interface Call<Data> extends Promise<Data> {
  /** Never throws: gives `{ok: true, data, meta}` or `{ok: false, error, meta}`. */
  safe(): Promise<SafeResult<Data>>
  /** Gives the data beside status, request id, attempts and duration; throws as the call itself. */
  withMeta(): Promise<WithMeta<Data>>
}

export interface Completed<Data> {
  readonly data: Data
  /** Gathered only for those who ask. */
  readonly meta: () => CallMeta
}

export function toCall<Data>(completed: Promise<Completed<Data>>): Call<Data> {
  // Made only when somebody looks, so that looking one way leaves no unhandled rejection of another.
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

// Everything inside rejects with errors of this package; should another slip through, it is a bug and flies.
export function assertServiceError(error: unknown): AnyServiceError {
  if (isServiceError(error)) return error
  throw error
}
