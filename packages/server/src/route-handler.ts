import type {
  AdminRoute,
  AnswerOf,
  ApiRoute,
  CheckedBodyOf,
  InboundRoute,
  ParamsOf,
  QueryOf,
  Route,
} from '@service/contract'
import type { App, TxApp } from './context.ts'
import type { AdminCaller } from './core/admin-caller.ts'
import type { Caller } from './modules/tokens/service.ts'

/** The workspace of a path that names one. */
type WorkspaceOf<R extends Route> = 'workspace' extends keyof ParamsOf<R> ? { readonly workspaceId: number } : unknown

/** What a handler gets of a request: the workspace, the path's other parameters, and what the schemas have checked. */
type RouteInput<R extends Route> = Omit<ParamsOf<R>, 'workspace'> &
  WorkspaceOf<R> & {
    readonly query: QueryOf<R>
    readonly body: CheckedBodyOf<R>
  }

/** The same for a route of the REST API, with the token's owner. */
type ApiCall<R extends ApiRoute> = RouteInput<R> & { readonly caller: Caller }

/** Answers a route of the REST API. */
type ApiHandler<R extends ApiRoute> = (app: App, call: ApiCall<R>) => Promise<AnswerOf<R>>

/** A handler whose answer decides the status. */
interface ApiHandlerWithStatus<R extends ApiRoute> {
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

/** What a handler of administration gets: besides the input, who asks. */
export type AdminCall<R extends AdminRoute> = RouteInput<R> & { readonly caller: AdminCaller }

/** Runs in a transaction, unless the route is a GET. The workspace exists and the caller may do this. */
export type AdminFunction<R extends AdminRoute> = (app: App, call: AdminCall<R>) => Promise<Unchanged<AnswerOf<R>>>

/** Does what is slow, such as hashing, before the transaction begins, and gives back what is to be done in it. */
interface PreparedAdminHandler<R extends AdminRoute> {
  prepare(app: App, call: AdminCall<R>): Promise<(app: TxApp) => Promise<Unchanged<AnswerOf<R>>>>
}

/** Answers a route of administration. */
export type AdminHandler<R extends AdminRoute> = AdminFunction<R> | PreparedAdminHandler<R>

export type AdminHandlers<Routes extends readonly AdminRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: AdminHandler<R>
}

/** What a third party sent, as far as it is known before its body is read. */
export interface InboundCall {
  readonly workspaceId: number
  /** The parameters of the path: `provider` or `source`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Whose valid bearer token came along, if one did. */
  readonly caller: Caller | undefined
}

export interface InboundDelivery extends InboundCall {
  readonly body: Uint8Array
  readonly requestId: string
}

/** The JSON answer of a route with its status, or a plain text that a platform's challenge asks for. */
export type InboundReply =
  | { readonly status: number; readonly answer: object }
  | { readonly status: number; readonly text: string; readonly contentType: string }

/** A route without a credential that tells a sender that it has found the right place. */
export interface PingHandler {
  ping(app: App, call: InboundCall): Promise<InboundReply>
}

/** A sender that may deliver, or may if the body proves it too. */
interface Authorized<Context> {
  /** Names the credential, e.g. `secret` or `device:7`: an idempotency key belongs to one credential. */
  readonly credential: string
  /** What was looked up to authorize the sender, for the steps that follow. */
  readonly context: Context
}

/** A route that takes what a third party pushes. */
export interface ReceiveHandler<Context = unknown> {
  /** Throws not_found when the integration is off and unauthorized when the secret is wrong; runs before the body is read. */
  authorize(app: App, call: InboundCall): Promise<Authorized<Context>>
  /**
   * Throws unauthorized when the credential is in the body, or signs it, and is wrong. Runs before anything is replayed,
   * stored or refused because of an idempotency key, so that a stranger learns and writes nothing.
   */
  verifyBody?(app: App, delivery: InboundDelivery, context: Context): void
  receive(app: App, delivery: InboundDelivery, context: Context): Promise<InboundReply>
  readonly maxBodyBytes?: number
}

/** One handler for each route of a list: a GET is a ping, a POST takes what is pushed. */
export type InboundHandlers<Routes extends readonly InboundRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: R['method'] extends 'GET' ? PingHandler : ReceiveHandler
}

export const ok = (answer: object): InboundReply => ({ status: 200, answer })
