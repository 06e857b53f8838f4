/** Errors that callers may see. `http/error-response.ts` maps each code to an HTTP status. */
export type ApiErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'validation'
  | 'rate_limited'
  | 'unavailable'

/** Messages per field. Keys are dotted paths such as `tags.0`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** An error to send to the caller. Do not catch it; `http/error-response.ts` does. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly errors: FieldErrors | undefined
  /** Additional response headers, e.g. `Allow`. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether a password, code, or token was wrong. Such failures are counted. */
  readonly isFailedCredential: boolean

  constructor(
    code: ApiErrorCode,
    message: string,
    extra: { errors?: FieldErrors; headers?: Record<string, string>; isFailedCredential?: boolean } = {},
  ) {
    super(message)
    this.code = code
    this.errors = extra.errors
    this.headers = extra.headers ?? {}
    this.isFailedCredential = extra.isFailedCredential ?? code === 'unauthorized'
  }
}

/**
 * A 401 names a scheme to use (RFC 9110 §15.5.2). It also reports whether a token was sent but rejected (RFC 6750
 * §3.1), so that a client knows whether it forgot to send one.
 */
export const unauthorized = (message: string, token?: string) =>
  new ApiError('unauthorized', message, {
    headers: { 'www-authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
  })
export const forbidden = (message: string) => new ApiError('forbidden', message)
export const conflict = (message: string) => new ApiError('conflict', message)
export const notFound = (thing: string, id?: string | number) =>
  new ApiError('not_found', id === undefined ? `The ${thing} was not found.` : `The ${thing} ${id} was not found.`)

/** Like `notFound`, for what has one of a few names. */
export const unknownName = (thing: string, name: string, known: readonly string[]) =>
  new ApiError('not_found', `The ${thing} ${name} was not found. There are ${known.join(', ')}.`)

/** A temporary shortage (database, memory, workers): 503 with `Retry-After` (RFC 9110 §15.6.4). */
export const unavailable = (message: string, retryAfterSeconds = 1) =>
  new ApiError('unavailable', message, { headers: { 'retry-after': String(retryAfterSeconds) } })

/** The message is the first error and a count of the others, as in Laravel. */
export function validation(errors: FieldErrors, extra: { isFailedCredential?: boolean } = {}): ApiError {
  const sentences = Object.values(errors).flat()
  const [first = 'The given data was invalid.', ...others] = sentences
  const more = others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'error' : 'errors'})`
  return new ApiError('validation', first + more, { errors, ...extra })
}
