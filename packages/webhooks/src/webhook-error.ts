/** Why a delivery was refused, as a closed list: a `switch` over it can be checked for completeness. */
export type WebhookErrorCode =
  | 'bad_secret'
  | 'body_consumed'
  | 'body_incomplete'
  | 'body_parsed'
  | 'body_timeout'
  | 'body_too_large'
  | 'event_mismatch'
  | 'invalid_json'
  | 'invalid_payload'
  | 'malformed_headers'
  | 'malformed_signature'
  | 'missing_signature'
  | 'missing_timestamp'
  | 'no_match'
  | 'timestamp_new'
  | 'timestamp_old'
  | 'wrong_content_type'
  | 'wrong_method'

/** What is wrong, or where to look, and the HTTP status to answer with. */
interface Refusal {
  readonly hint: string
  /** 401 when not given: most refusals are of a sender who cannot prove who it is. */
  readonly status?: number
}

/**
 * The only error that verification throws for what it was given. It names no secret, no signature and no part of the
 * body, so that it may be logged and answered as it is.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookErrorCode
  /** The HTTP status to answer with: 4xx blames the sender, 500 the receiver's own set-up. */
  readonly status: number
  /** The same as `status`. Under this name, and with `expose`, frameworks answer with it when nobody catches the error. */
  readonly statusCode: number
  readonly expose = true
  /** What is wrong, or where to look. */
  readonly hint: string

  constructor(code: WebhookErrorCode, { hint, status = 401 }: Refusal) {
    super(`${code}: ${hint}`)
    this.code = code
    this.hint = hint
    this.status = status
    this.statusCode = status
  }
}

export function refuse(code: WebhookErrorCode, refusal: Refusal): never {
  throw new WebhookVerificationError(code, refusal)
}
