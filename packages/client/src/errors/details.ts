import type { Method } from '@service/contract/route'
/** Why a call failed, as a closed list: a `switch` over it can be checked for completeness. */
export type ErrorCode =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'conflict'
  | 'validation'
  | 'rate_limited'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'server_error'
  | 'unexpected_status'
  | 'unexpected_response'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'redirect'

/**
 * Whether the request reached the platform, over all attempts of the call: `no` is proven (nothing was sent, or no
 * connection came about), `yes` means that an answer began to arrive, `maybe` is everything between.
 */
export type Delivered = 'no' | 'maybe' | 'yes'

/** What kept the request from being answered. `not_http` means that what answers on this port does not speak HTTP. */
export type NetworkReason = 'refused' | 'dns' | 'tls' | 'not_http' | 'reset' | 'timeout' | 'unknown'

/** One field that is wrong: a dotted path such as `tags.0` (empty for the whole), and a sentence. Never a value. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** What every error of this package carries. It holds no header, no body, no URL and no token. */
export interface ErrorDetails {
  readonly method: Method
  /** The path with its parameters in braces, without host and query, e.g. `/workspaces/{workspace}/tickets`. */
  readonly route: string
  /** Requests that were sent, 0 when the failure came before. */
  readonly attempts: number
  /** From the call to the failure, waiting included. */
  readonly durationMs: number
  readonly delivered: Delivered
  /** The same call may be made again: it cannot act twice, and it may go better. */
  readonly retryable: boolean
  /** HTTP status, when an answer arrived. */
  readonly status?: number
  /** The platform's `X-Request-Id`, for its operators. */
  readonly requestId?: string
  /** How long the platform asked to wait. */
  readonly retryAfterMs?: number
  /** The key that was sent as `Idempotency-Key`. Use it again to repeat the call safely. */
  readonly idempotencyKey?: string
  /** A `code` in the platform's error body. The documented bodies have none; a gateway's may. */
  readonly serverCode?: string
}
