import type { ErrorCode, Issue } from './errors/details.ts'
import type { AnyServiceError } from './errors/family.ts'
import type { Trip } from './trip.ts'

interface About {
  /** As the client names it, e.g. `tickets.create`. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  /** The path with its parameters in braces, without host and query. */
  readonly route: string
  /** Requests of this call until now. */
  readonly attempt: number
}

type Happening =
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

/** Tells the listener. What it throws, at once or later, is its own affair and must not fail or delay the call. */
export function tell({ call, attempts: attempt }: Trip, happening: Happening): void {
  const { onEvent } = call.settings
  if (!onEvent) return
  const { operation, method, path: route } = call.contract
  // Inside a promise a throw is a rejection, and both end here.
  new Promise((resolve) => {
    resolve(onEvent({ operation, method, route, attempt, ...happening }))
  }).catch(ignore)
}

const ignore = () => undefined
