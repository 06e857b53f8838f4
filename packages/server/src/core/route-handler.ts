import type { AdminRoute, AnswerOf, ApiRoute, CheckedBodyOf, ParamsOf, QueryOf, Route } from '@service/contract'
import type { Caller } from '../modules/tokens/service.ts'
import type { AdminCaller } from './admin-caller.ts'
import type { App, TxApp } from './context.ts'

/** The workspace of a path that names one. */
type WorkspaceOf<R extends Route> = 'workspace' extends keyof ParamsOf<R> ? { readonly workspaceId: number } : unknown

/** What a handler gets of a request: the workspace, the path's other parameters, and what the schemas have checked. */
export type RouteInput<R extends Route> = Omit<ParamsOf<R>, 'workspace'> &
  WorkspaceOf<R> & {
    readonly query: QueryOf<R>
    readonly body: CheckedBodyOf<R>
  }

/** The same for a route of the REST API, with the token's owner. */
export type ApiCall<R extends ApiRoute> = RouteInput<R> & { readonly caller: Caller }

/** Answers a route of the REST API. */
export type ApiHandler<R extends ApiRoute> = (app: App, call: ApiCall<R>) => Promise<AnswerOf<R>>

/** A handler whose answer decides the status. */
export interface ApiHandlerWithStatus<R extends ApiRoute> {
  readonly handle: ApiHandler<R>
  status(app: App, answer: AnswerOf<R>): number
}

export type AnyApiHandler = ApiHandler<ApiRoute> | ApiHandlerWithStatus<ApiRoute>

/** One handler for each route of a list; a route without one does not compile. */
export type ApiHandlers<Routes extends readonly ApiRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: ApiHandler<R> | ApiHandlerWithStatus<R>
}

/** An answer as a service may give it: nobody changes it on the way out. */
type Unchanged<Value> = Value extends readonly unknown[] | object
  ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> }
  : Value

/** What a handler of administration gets: besides the input, who asks, which spreading the call leaves behind. */
export type AdminCall<R extends AdminRoute> = RouteInput<R> & { readonly caller: AdminCaller }

/** Runs in a transaction, unless the route is a GET. The workspace exists and the caller may do this. */
export type AdminFunction<R extends AdminRoute> = (app: App, call: AdminCall<R>) => Promise<Unchanged<AnswerOf<R>>>

/** Does what is slow, such as hashing, before the transaction begins, and gives back what is to be done in it. */
export interface PreparedAdminHandler<R extends AdminRoute> {
  prepare(app: App, call: AdminCall<R>): Promise<(app: TxApp) => Promise<Unchanged<AnswerOf<R>>>>
}

/** Answers a route of administration. */
export type AdminHandler<R extends AdminRoute> = AdminFunction<R> | PreparedAdminHandler<R>

export type AdminHandlers<Routes extends readonly AdminRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: AdminHandler<R>
}
