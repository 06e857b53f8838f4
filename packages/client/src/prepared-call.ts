import type { Method } from '@service/contract/route'
import type { Settings } from './settings.ts'

/** What a call needs of its route. How its schemas are written is between the settings' `check` and the resources. */
export interface CallRoute {
  /** As the client names it, e.g. `tickets.create`. */
  readonly operation: string
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  /** The schema of the body by status; a refusal that is listed is a result. */
  readonly answers: Readonly<Record<number, unknown>>
}

/** A call that is checked and ready to be sent, as often as need be. */
export interface PreparedCall {
  readonly settings: Settings
  readonly contract: CallRoute
  readonly method: Method
  readonly route: string
  readonly url: string
  /** Everything but the token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
  /** The platform acts once, however often the request comes. */
  readonly repeatable: boolean
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
  readonly startedAt: number
  /** Frames of the application, its call of ours first. */
  readonly callerStack: () => string
  /** What must not stand in an error although the platform may echo it. */
  readonly secrets: () => readonly string[]
}
