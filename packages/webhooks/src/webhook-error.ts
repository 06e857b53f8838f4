/** Why a delivery was refused. The list is closed, so the compiler can check a `switch` for completeness. */
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

/** The cause, or where to look, and the HTTP status to respond with. */
interface Refusal {
  readonly hint: string
  /** Defaults to 401. */
  readonly status?: number
}

/**
 * The only error that verification throws for its input. It contains no secret, no signature, and no part of the
 * body, so it is safe to log and to send as a response.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  declare readonly code: WebhookErrorCode
  /** The HTTP status to respond with: 4xx for a fault of the sender, 500 for a misconfigured receiver. */
  declare readonly status: number
  /** The same as `status`. Frameworks read `statusCode` and `expose` to answer uncaught errors. */
  declare readonly statusCode: number
  readonly expose = true
  /** The cause, or where to look. */
  declare readonly hint: string

  constructor(code: WebhookErrorCode, { hint, status = 401 }: Refusal) {
    super(`${code}: ${hint}`)
    Object.assign(this, { code, hint, status, statusCode: status })
  }

  // By name, so that `instanceof` recognizes errors of other copies of this package, such as the CommonJS build.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (value as Error | undefined)?.name === 'WebhookVerificationError'
  }
}

export function refuse(code: WebhookErrorCode, refusal: Refusal): never {
  throw new WebhookVerificationError(code, refusal)
}
