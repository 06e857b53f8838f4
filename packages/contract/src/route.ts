import type * as z from 'zod/mini'
import type { EventName } from './events.ts'
import type { ParamNamesIn, PathParam, PathParamName } from './path-params.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * `api` paths are below /api/v1 and need a bearer token. `inbound` paths are below /api. Administration (/admin/v1) and
 * the test controls (/admin/v1/test) need a credential of administration.
 */
export type Surface = 'api' | 'inbound' | 'admin' | 'test'

export type SuccessStatus = 200 | 201 | 204
export type ErrorStatus = 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503

/**
 * The lowest role that may call a route of administration. `public` routes take their credential in the body, `person`
 * is any signed-in person, then come the roles of the workspace, and `instance` administers the whole instance.
 */
export type AdminRole = 'public' | 'person' | 'viewer' | 'member' | 'admin' | 'owner' | 'instance'

/** Secrets that an inbound route accepts (§5). `provider` is the signature or token of the Git provider. */
export type SecretKind = 'webhook' | 'device' | 'provider'

/**
 * One route of any surface as plain data. The client, the handlers' types, OpenAPI, the coverage table, the
 * conformance checks and the tests all read this object. Its documentation (summary, examples, notes) is in
 * `docs/`, which the client's bundle does not include.
 */
export interface Route {
  /** `resource.verb`, as the client calls it, e.g. `tickets.create`. Unique on its surface. */
  readonly operation: string
  readonly method: Method
  readonly surface: Surface
  /** Below the surface's base path, with parameters of `pathParams` in braces. */
  readonly path: string
  /** The scope that a bearer token needs here (§5). */
  readonly scope?: Scope
  /** The lowest role that may call it, on surfaces that are not for API tokens. */
  readonly role?: AdminRole
  /** Any one of them is accepted. */
  readonly secrets?: readonly SecretKind[]
  /** Parameters of the query string, as text. Routes without it ignore the query string. */
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  /** The body by status. An error status is listed here only if its body differs from the common error body. */
  readonly responses: Readonly<Partial<Record<SuccessStatus | ErrorStatus, z.ZodMiniType>>>
  /** Statuses other than success. */
  readonly errorStatuses: readonly ErrorStatus[]
  /** The success response to a platform's signed challenge. Challenges that are only echoed get plain text. */
  readonly challengeResponse?: z.ZodMiniType
  /** False if the sender's delivery ids replace the `Idempotency-Key`, which is then ignored. */
  readonly idempotencyKey?: false
  /** The outbound event that success emits (§6). */
  readonly emits?: EventName
}

/** A route of the authenticated REST API. */
export interface ApiRoute extends Route {
  readonly surface: 'api'
  readonly scope: Scope
}

/** A route that third parties push to. */
export interface InboundRoute extends Route {
  readonly surface: 'inbound'
}

/** A route of administration. */
export interface AdminRoute extends Route {
  readonly surface: 'admin'
  readonly role: AdminRole
  /** False: the audit log has no entry of it, although it is a POST, because it changes nothing. */
  readonly audited?: false
  /** It takes minutes on a large database, so the client waits up to an hour for its response. */
  readonly takesLong?: true
}

/** A route of the test controls. */
export interface ControlRoute extends Route {
  readonly surface: 'test'
  readonly role: AdminRole
}

/** What the reading routes of the REST API have in common. */
export const apiRead = { surface: 'api', method: 'GET', errorStatuses: [401, 403, 404, 429, 500, 503] } as const
/** What the writing routes of the REST API have in common. */
export const apiWrite = {
  surface: 'api',
  method: 'POST',
  errorStatuses: [401, 403, 404, 413, 415, 422, 429, 500, 503],
} as const

/** A list of routes as a table by operation, for registries that need an entry for each. */
export type RouteTable<Routes extends readonly Route[]> = {
  readonly [R in Routes[number] as R['operation']]: R
}

/** What a caller may send to a route with a body. */
export type BodyOf<R extends Route> = R extends { readonly body: infer Body extends z.ZodMiniType }
  ? z.input<Body>
  : never

/** The body as a handler receives it, after its schema has checked it. */
export type CheckedBodyOf<R extends Route> = R extends { readonly body: infer Body extends z.ZodMiniType }
  ? z.output<Body>
  : undefined

/** The query parameters of a route, as a handler receives them. */
export type QueryOf<R extends Route> = R extends { readonly query: infer Query extends z.ZodMiniObject }
  ? z.output<Query>
  : undefined

/** The values of a route's path parameters. */
export type ParamsOf<R extends Route> = {
  readonly [Name in ParamNamesIn<R['path']>]: Name extends PathParamName ? PathParam<Name> : never
}

type UnknownParamOf<R extends Route> = Exclude<ParamNamesIn<R['path']>, PathParamName>

/** Names each route with a parameter that `pathParams` lacks. `never` if there is none. */
export type UnknownParams<R extends Route> = R extends Route
  ? [UnknownParamOf<R>] extends [never]
    ? never
    : `${R['operation']}: {${UnknownParamOf<R>}}`
  : never

/** Statuses other than success: those of the route, and those that all routes of administration share. */
export function errorStatusesOf({ surface, method, role, errorStatuses }: Route): readonly ErrorStatus[] {
  if (surface !== 'admin') return errorStatuses
  const shared: ErrorStatus[] = [
    ...(role === 'public' ? [] : [403 as const]),
    // An unknown query parameter, or an `Idempotency-Key` that is invalid or was used by another request.
    422,
    ...(method === 'PATCH' ? [412 as const] : []),
  ]
  return [...new Set([...errorStatuses, ...shared])]
}

/** The success response of a route. */
export type ResponseOf<R extends Route> = R['responses'] extends infer Answers
  ? z.output<Extract<Answers[keyof Answers & SuccessStatus], z.ZodMiniType>>
  : never

/** The status of success in the machine-readable description (§4). */
export function successStatus({ responses }: Pick<Route, 'responses'>): SuccessStatus {
  if (responses[200] !== undefined) return 200
  return responses[201] === undefined ? 204 : 201
}

/** The schema of the success response of a route. */
export function responseSchema<R extends Route>(route: R): z.ZodMiniType<ResponseOf<R>> {
  return route.responses[successStatus(route)] as z.ZodMiniType<ResponseOf<R>> // every route has a success
}
