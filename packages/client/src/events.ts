import type { Method } from '@service/contract/route'
import type { ErrorCode, Issue } from './errors/details.ts'
import type { AnyServiceError } from './errors/family.ts'

interface EventSource {
  /** The client's name of the operation, e.g. `tickets.create`. */
  readonly operation: string
  readonly method: Method
  /** The path with its parameters in braces, without host and query. */
  readonly route: string
  /** Requests of this call so far. */
  readonly attempt: number
}

export type EventDetails =
  | { readonly type: 'request' }
  | {
      readonly type: 'response'
      readonly status: number
      readonly durationMs: number
      readonly requestId?: string | undefined
    }
  | { readonly type: 'retry'; readonly delayMs: number; readonly code: ErrorCode; readonly status?: number | undefined }
  | { readonly type: 'error'; readonly error: AnyServiceError }
  | { readonly type: 'drift'; readonly issues: readonly Issue[] }

/** An event of a call, for logs and metrics. Events contain no headers, bodies, URLs or tokens. */
export type ClientEvent = EventSource & EventDetails

export type OnEvent = (event: ClientEvent) => unknown
