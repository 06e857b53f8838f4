import type { Method } from '@service/contract/route'
import type { FetchOptions, ShouldRetry } from './client-options.ts'
import type { Settings } from './settings.ts'

/** The parts of a route that a call needs. Only the settings' `check` knows the kind of its schemas. */
export interface CallRoute {
  /** The client's name of the operation, e.g. `tickets.create`. */
  readonly operation: string
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  /** JSON may change values of the body, because a report of an error may hold anything. */
  readonly isLenient?: true
  /** The schema of the body by status. A listed error status is a result, not an error. */
  readonly responses: Readonly<Record<number, unknown>>
}

/** A checked call, which can be sent repeatedly. */
export interface PreparedCall {
  readonly settings: Settings
  readonly route: CallRoute
  readonly method: Method
  readonly path: string
  readonly url: string
  /** All headers except the token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
  /** The platform acts only once, even if the request is repeated. */
  readonly repeatable: boolean
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
  readonly shouldRetry: ShouldRetry | undefined
  readonly fetchOptions: FetchOptions | undefined
  readonly startedAt: number
  /** The stack of the application, starting at its call of the client. */
  readonly callerStack: () => string
  /** Secrets that the platform may echo and that errors must not contain. */
  readonly secrets: () => readonly string[]
}
