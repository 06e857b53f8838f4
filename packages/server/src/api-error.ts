/** What a caller may be told. The HTTP status of each code stands in one table, `http/error-reply.ts`. */
export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'validation'
  | 'rate_limited'

/** Sentences per field; keys are dotted paths such as `tags.0`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** A refusal. Let it fly: `http/error-reply.ts` is the only place that catches it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly errors: FieldErrors | undefined
  /** Headers that belong to the refusal, e.g. `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    extra: { errors?: FieldErrors; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.code = code
    this.errors = extra.errors
    this.headers = extra.headers ?? {}
  }
}

export const unauthorized = (message: string) => new ApiError('unauthorized', message)
export const forbidden = (message: string) => new ApiError('forbidden', message)
export const conflict = (message: string) => new ApiError('conflict', message)
export const notFound = (thing: string, id?: string | number) =>
  new ApiError('not_found', id === undefined ? `The ${thing} was not found.` : `The ${thing} ${id} was not found.`)

/** The first sentence is the message, with a count of the others, as Laravel's answers do. */
export function validation(errors: FieldErrors): ApiError {
  const sentences = Object.values(errors).flat()
  const [first = 'The given data was invalid.', ...others] = sentences
  const more = others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'error' : 'errors'})`
  return new ApiError('validation', first + more, { errors })
}
