import type { AnyServiceError } from './errors/family.ts'
import type { ErrorCode, Issue } from './errors/details.ts'

interface About {
  /** As the client names it, e.g. `tickets.create`. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  /** The path with its parameters in braces, without host and query. */
  readonly route: string
  /** Counted from 1. */
  readonly attempt: number
}

/** What happens to a call, for logs and metrics. No event holds a header, a body, a URL or a token. */
export type ClientEvent =
  | (About & { readonly type: 'request' })
  | (About & { readonly type: 'response'; readonly status: number; readonly durationMs: number; readonly requestId?: string })
  | (About & { readonly type: 'retry'; readonly delayMs: number; readonly code: ErrorCode; readonly status?: number })
  | (About & { readonly type: 'error'; readonly error: AnyServiceError })
  | (About & { readonly type: 'drift'; readonly issues: readonly Issue[] })

export type OnEvent = (event: ClientEvent) => unknown

/** Tells a listener. What it throws, at once or later, is its own affair and must not fail or delay the call. */
export function tell(listener: OnEvent | undefined, event: ClientEvent): void {
  if (!listener) return
  try {
    Promise.resolve(listener(event)).catch(() => {})
  } catch {}
}
