import type { App } from './context.ts'

/** A request to administration, as far as a module has to know it. */
export interface AdminCall {
  readonly workspaceId: number
  /** `{id}` of the path; 0 where it has none. */
  readonly id: number
  /** The JSON of the body, not checked yet; an empty object where there is none. */
  readonly body: unknown
}

/** What administration can do over HTTP beside lists and plain actions. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** What follows the workspace, for example `webhooks/{id}`. */
  readonly path: string
  /** 200 unless told otherwise. */
  readonly status?: 201
  readonly answer: (app: App, call: AdminCall) => Promise<object>
}
