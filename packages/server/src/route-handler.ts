import type {
  AdminRoute,
  ApiRoute,
  CheckedBodyOf,
  InboundRoute,
  ParamsOf,
  QueryOf,
  ResponseOf,
  Route,
} from '@service/contract'
import type { App, TxApp } from './context.ts'
import type { AdminCaller } from './core/admin-caller.ts'
import type { BodyLimits } from './core/content-encoding.ts'
import type { Caller } from './modules/tokens/service.ts'

/** The workspace of a path, if it has one. */
type WorkspaceOf<R extends Route> = 'workspace' extends keyof ParamsOf<R> ? { readonly workspaceId: number } : unknown

/** The input of a handler: the workspace, the other path parameters, and the parsed query and body. */
type RouteInput<R extends Route> = Omit<ParamsOf<R>, 'workspace'> &
  WorkspaceOf<R> & {
    readonly query: QueryOf<R>
    readonly body: CheckedBodyOf<R>
  }

/** The input of a REST API route, with the token's owner. */
type ApiCall<R extends ApiRoute> = RouteInput<R> & { readonly caller: Caller }

/** Handles a route of the REST API. */
type ApiHandler<R extends ApiRoute> = (app: App, call: ApiCall<R>) => Promise<ResponseOf<R>>

/** A handler that chooses the status, or looks at fields that the schema does not have. */
export interface ApiHandlerWithOptions<R extends ApiRoute> {
  readonly handle: ApiHandler<R>
  status?(app: App, answer: ResponseOf<R>): number
  /** Refuses a body for fields that its schema does not have. */
  checkUnknown?(app: App, json: unknown): void
}

export type AnyApiHandler = ApiHandler<ApiRoute> | ApiHandlerWithOptions<ApiRoute>

/** One handler for each route of a list. A missing one does not compile. */
export type ApiHandlers<Routes extends readonly ApiRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: ApiHandler<R> | ApiHandlerWithOptions<R>
}

/** A response as a service returns it, deeply read-only. */
type Unchanged<Value> = Value extends readonly unknown[] | object
  ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> }
  : Value

/** The input of an admin handler, with the caller. */
export type AdminCall<R extends AdminRoute> = RouteInput<R> & { readonly caller: AdminCaller }

/** Runs in a transaction, unless the route is a GET. The workspace and the caller's role are already checked. */
export type AdminFunction<R extends AdminRoute> = (app: App, call: AdminCall<R>) => Promise<Unchanged<ResponseOf<R>>>

/** Does slow work, such as hashing, before the transaction, and returns the function to run inside it. */
interface PreparedAdminHandler<R extends AdminRoute> {
  prepare(app: App, call: AdminCall<R>): Promise<(app: TxApp) => Promise<Unchanged<ResponseOf<R>>>>
}

/** Handles an admin route. */
export type AdminHandler<R extends AdminRoute> = AdminFunction<R> | PreparedAdminHandler<R>

export type AdminHandlers<Routes extends readonly AdminRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: AdminHandler<R>
}

/** The parts of a third party's request that are known before its body is read. */
export interface InboundCall {
  readonly workspaceId: number
  /** The path parameters: `provider` or `source`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The owner of a valid bearer token, if the request has one. */
  readonly caller: Caller | undefined
}

export interface InboundDelivery extends InboundCall {
  readonly body: Uint8Array
  readonly requestId: string
}

/** A JSON response with its status, or plain text for a platform's challenge. */
export type InboundReply =
  | {
      readonly status: number
      readonly answer: object
      /** Set for a refusal with a status below 400. */
      readonly isRefusal?: boolean
    }
  | { readonly status: number; readonly text: string; readonly contentType: string }

/** A route without credentials, with which senders check that they use the right URL. */
export interface PingHandler {
  ping(app: App, call: InboundCall): Promise<InboundReply>
}

/** A sender that is authorized, possibly subject to `verifyBody`. */
interface Authorized<Context> {
  /** Identifies the credential, e.g. `secret` or `device:7`. An idempotency key belongs to one credential. */
  readonly credential: string
  /** The device whose secret authenticated the request. */
  readonly deviceId?: number
  /** Records that were loaded to authorize the sender, for the later steps. */
  readonly context: Context
}

/** A route that receives deliveries of a third party. */
export interface ReceiveHandler<Context = unknown> {
  /** `errors`, `attendance`, `leads`, or the key of a Git provider. */
  integrationOf(call: InboundCall): string
  /** Throws not_found if the integration is off, unauthorized if the secret is wrong. Runs before the body is read. */
  authorize(app: App, call: InboundCall): Promise<Authorized<Context>>
  /**
   * Throws unauthorized if a credential in the body, or a signature of it, is wrong. Runs before any replay, write, or
   * idempotency error, so that unauthorized senders learn and write nothing.
   */
  verifyBody?(app: App, delivery: InboundDelivery, context: Context): void | Promise<void>
  receive(app: App, delivery: InboundDelivery, context: Context): Promise<InboundReply>
  /** Larger bodies get 413. By default 1 MiB. */
  readonly limits?: BodyLimits
}

/** One handler for each route of a list: GET is a ping, POST receives a delivery. */
export type InboundHandlers<Routes extends readonly InboundRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: R['method'] extends 'GET' ? PingHandler : ReceiveHandler
}

export const ok = (answer: object): InboundReply => ({ status: 200, answer })
