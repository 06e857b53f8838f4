import type * as z from 'zod/mini'
import type { EventName } from './events.ts'
import type { Scope } from './scopes.ts'

/** One route of the platform as plain data: the client, the server, OpenAPI and the tests all read this object. */
export interface Route<
  Body extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  /** `resource.verb`, as the client calls it, e.g. `tickets.create`. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  /** `api` paths stand under /api/v1 and need a bearer token, `inbound` paths under /api. */
  readonly surface: 'api' | 'inbound'
  /** With `{workspace}` and other parameters in braces. */
  readonly path: string
  /** The scope a bearer token needs here (§5). */
  readonly scope?: Scope
  readonly body?: Body
  /** The status of success in the machine-readable description (§4). */
  readonly status: 200 | 201
  readonly answer: Answer
  /** Statuses other than success, with the schema of their body where it is not the common error body. */
  readonly refusals: readonly RefusalStatus[]
  readonly refusalAnswers?: Readonly<Partial<Record<RefusalStatus, z.ZodMiniType>>>
  /** The outbound event that success emits (§6). */
  readonly emits?: EventName
}

export type RefusalStatus = 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500

export const apiReadRefusals = [401, 403, 404, 429, 500] as const satisfies readonly RefusalStatus[]
export const apiWriteRefusals = [401, 403, 404, 413, 415, 422, 429, 500] as const satisfies readonly RefusalStatus[]

/** What a caller may send to a route with a body. */
export type BodyOf<R extends Route> = R extends { readonly body: infer Body extends z.ZodMiniType }
  ? z.input<Body>
  : never

/** What a route answers on success. */
export type AnswerOf<R extends Route> = z.output<R['answer']>
