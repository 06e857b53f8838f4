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

/** A code and its hint in one text, as it is logged: a bundle carries what it uses, and each word once. */
export type Refusal = `${WebhookErrorCode}: ${string}`

/**
 * The only error that verification throws for what it was given. It names no secret, no signature and no part of the
 * body, so that it may be logged and answered as it is.
 */
export class WebhookVerificationError extends Error {
  declare readonly code: WebhookErrorCode
  /** The HTTP status to answer with: 4xx blames the sender, 500 the receiver's own set-up. */
  declare readonly status: number
  /** The same as `status`. Under this name, and with `expose`, frameworks answer with it when nobody catches the error. */
  declare readonly statusCode: number
  declare readonly expose: true
  /** What is wrong, or where to look. */
  declare readonly hint: string
  override readonly name = 'WebhookVerificationError'

  constructor(refusal: Refusal, status: number) {
    super(refusal)
    const [code, hint] = refusal.split(': ')
    Object.assign(this, { code, hint, status, statusCode: status, expose: true })
  }
}

/** Most refusals are of a sender who cannot prove who it is. */
export function refuse(refusal: Refusal, status = 401): never {
  throw new WebhookVerificationError(refusal, status)
}
