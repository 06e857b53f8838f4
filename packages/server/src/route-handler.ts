import type { AnswerOf, Route } from '@service/contract'
import type * as z from 'zod/mini'
import type { App } from './context.ts'
import type { Caller } from './modules/tokens/service.ts'

/** What the door hands to a module: who calls, for which workspace, with which checked body. */
export interface ApiCall<Body> {
  readonly workspaceId: number
  readonly caller: Caller
  readonly body: Body
}

type CheckedBody<R extends Route> = R extends { readonly body: infer Body extends z.ZodMiniType }
  ? z.output<Body>
  : undefined

/** A route of the contract with the function that answers it. */
export interface ApiHandler<R extends Route = Route> {
  readonly route: R
  handle(app: App, call: ApiCall<CheckedBody<R>>): Promise<AnswerOf<R>>
  /** The status when it depends on the answer; else the route's own. */
  status?(app: App, answer: AnswerOf<R>): number
}

/** Ties a route to its function; that the body and the answer fit the contract is checked by the compiler. */
export function answers<R extends Route>(
  route: R,
  handle: ApiHandler<R>['handle'],
  status?: NonNullable<ApiHandler<R>['status']>,
): ApiHandler {
  const handler: ApiHandler<R> = status === undefined ? { route, handle } : { route, handle, status }
  return handler as unknown as ApiHandler // one list holds handlers of different bodies; the door parses by `route`
}
