import type { AttemptState } from './attempt.ts'
import { baseUrlHint } from './base-url-hint.ts'
import { createError } from './create-error.ts'
import type { ErrorDetails } from './errors/details.ts'
import {
  type AnyServiceError,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  RedirectError,
  ServerError,
  UnexpectedStatusError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors/family.ts'
import { quote } from './redact.ts'
import { isRetryableStatus } from './retry-policy.ts'

const maxMessageLength = 500

/** The error for an error status. If the body could not be read, there is no text and only the status is used. */
export function statusError(attempt: AttemptState, response: Response, text = ''): AnyServiceError {
  const { status, headers } = response
  const secrets = text ? attempt.call.secrets() : []
  const clean = (text: unknown) => (typeof text === 'string' ? quote(text, { secrets, length: maxMessageLength }) : '')
  const body = readBody(text)
  const message = clean(body['message'])
  const code = clean(body['code'])
  const input = {
    attempt,
    message: `answered ${status}${message && `: ${message}`}${baseUrlHint(attempt.call, response)}`,
    retryable: isRetryableStatus(status, headers, attempt.call.repeatable),
    fields: { ...(code && { serverCode: code }) },
  }
  if (status !== 422) return createError(toKind(status), input)
  return createError(ValidationError, {
    ...input,
    fields: { ...input.fields, errors: readErrors(body['errors'], clean) },
  })
}

/** Redirects are never followed. The error names only the target's origin, because the rest may be secret. */
export function redirectError(attempt: AttemptState, response: Response): RedirectError {
  const target = response.headers.get('location') ?? ''
  const location = URL.canParse(target, attempt.call.url) ? new URL(target, attempt.call.url).origin : undefined
  const message = `was redirected${location ? ` to ${location}` : ''}, which is not followed. Correct the base URL.`
  return createError(RedirectError, { attempt, message, fields: { ...(location && { location }) } })
}

type Kind = new (message: string, details: ErrorDetails) => AnyServiceError

const kinds: Readonly<Record<number, Kind>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  429: RateLimitError,
}

const toKind = (status: number): Kind => kinds[status] ?? (status >= 500 ? ServerError : UnexpectedStatusError)

function readBody(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) // lists and plain values have none of the keys that are read
  } catch {
    return {}
  }
}

function readErrors(errors: unknown, clean: (text: unknown) => string): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(Object(errors)).map(([field, sentences]) => [clean(field), [sentences].flat().map(clean)]),
  )
}
