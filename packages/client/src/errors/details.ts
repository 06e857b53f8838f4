import type { Method } from '@service/contract/route'
/** Why a call failed. The list is closed, so a `switch` can be checked for completeness. */
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
 * Whether the request reached the platform, over all attempts of the call. `no` is proven (nothing was sent, or no
 * connection was made), `yes` means that a response started to arrive, `maybe` is everything else: also a 502 or 504, with
 * which a gateway says that it got no valid response.
 */
export type Delivered = 'no' | 'maybe' | 'yes'

/**
 * Why there was no response. `not_http` means that the port speaks another protocol, `proxy` that a forward proxy refused
 * the connection (`status` is its answer), `fetch` that the `fetch` option threw, blocks the port, or does not exist.
 */
export type NetworkReason = 'refused' | 'dns' | 'tls' | 'not_http' | 'proxy' | 'reset' | 'timeout' | 'fetch' | 'unknown'

/** One invalid field: a dotted path such as `tags.0` (empty for the whole body), and a sentence without values. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** The fields of every error of this package. They contain no headers, bodies, URLs or tokens. */
export interface ErrorDetails {
  readonly method: Method
  /** The path with its parameters in braces, without host and query, e.g. `/workspaces/{workspace}/tickets`. */
  readonly route: string
  /** Requests that were sent. 0 if the call failed before the first one. */
  readonly attempts: number
  /** From the call to the failure, including waits. */
  readonly durationMs: number
  readonly delivered: Delivered
  /** The call may be repeated: it cannot act twice, and it may succeed. */
  readonly retryable: boolean
  /** The HTTP status, if a response arrived, or the status with which a proxy refused the connection. */
  readonly status?: number
  /** The platform's `X-Request-Id`, for its operators. */
  readonly requestId?: string
  /** How long the platform asked to wait. */
  readonly retryAfterMs?: number
  /** The key that was sent as `Idempotency-Key`. Use it again to repeat the call safely. */
  readonly idempotencyKey?: string
  /** The `code` in the error body. Documented bodies have none, but those of a gateway may. */
  readonly serverCode?: string
}
