import type { Method } from '@service/contract/route'
import type { ErrorCode, Issue } from './errors/details.ts'
import type { AnyServiceError } from './errors/family.ts'

interface About {
  /** As the client names it, e.g. `tickets.create`. */
  readonly operation: string
  readonly method: Method
  /** The path with its parameters in braces, without host and query. */
  readonly route: string
  /** Requests of this call until now. */
  readonly attempt: number
}

export type Happening =
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

/** What happens to a call, for logs and metrics. No event holds a header, a body, a URL or a token. */
export type ClientEvent = About & Happening

export type OnEvent = (event: ClientEvent) => unknown
