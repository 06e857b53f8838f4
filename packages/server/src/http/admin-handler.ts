import { type AdminRoute, fullPath, successStatus } from '@service/contract'
import { maxPageSize } from '@service/contract/admin/pages'
import type { Context, Handler } from 'hono'
import type { App, TxApp } from '../context.ts'
import type { AdminCaller } from '../core/admin-caller.ts'
import { checkKnownInput, checkKnownQuery, parseJsonBody } from '../core/check-input.ts'
import { ApiError, validation } from '../core/errors.ts'
import { addToAuditLog } from '../modules/audit-log/service.ts'
import type { AdminCall, AdminFunction, AdminHandler } from '../route-handler.ts'
import { inTransaction, lockText } from '../store/transaction.ts'
import type { Authorize } from './admin-access.ts'
import { hasSecrets, toAuditEntry } from './audit-entry.ts'
import { entityTag, isApplied, requireMatch } from './entity-tag.ts'
import { toJson } from './error-response.ts'
import type { TextResult } from './handler-result.ts'
import { runOnce } from './idempotency.ts'
import { paramsReader, readAuthorizedBody, requireJson } from './read-request.ts'
import type { RequestContext, RequestPipeline } from './request-pipeline.ts'

export interface HandledAdminRoute {
  readonly route: AdminRoute
  readonly handler: AdminHandler<AdminRoute>
  /** Reads the resource of the route: the GET of the same path, or of the path before an action's name. */
  readonly reader: AdminFunction<AdminRoute> | undefined
}

type AnyCall = AdminCall<AdminRoute>

interface Change extends HandledAdminRoute {
  readonly call: AnyCall
  readonly workspaceId: number | undefined
  readonly requestId: string
  readonly path: string
  readonly ifMatch: string | null
  readonly run: AdminFunction<AdminRoute>
}

/**
 * An admin route as a Hono handler. Checks run in this order: credential, workspace, role, parameters, body,
 * `Idempotency-Key`, `If-Match`. Each change and its audit log entry share a transaction.
 */
export function handleAdminRequest(
  app: App,
  { pipeline, authorize }: { readonly pipeline: RequestPipeline; readonly authorize: Authorize },
  handled: HandledAdminRoute,
): Handler {
  const { route } = handled
  const readParams = paramsReader(route)
  return pipeline.wrapHandler(fullPath(route), async (c, context) => {
    const workspaceId = route.path.includes('{workspace}') ? workspaceIdOf(c) : undefined
    const findRight = () => authorize({ request: c.req.raw, address: context.address, route, workspaceId })
    const right = await findRight()
    const workspaceParam = workspaceId === undefined ? {} : { workspaceId }
    const params = readParams(c)
    const query = parseQuery(route, c) as never // parsed by the schema that the handler's type derives from
    if (route.method === 'GET')
      return readResource(app, handled, {
        ...workspaceParam,
        ...params,
        query,
        caller: right,
        body: undefined as never,
      })
    const { bytes, json, caller } = await readBody(app, c, { route, right, authorize: findRight })
    const body = (route.body && checkKnownInput(route.body, json)) as never // as above
    const call = { ...workspaceParam, ...params, query, body, caller } as AnyCall // workspace routes add the workspace
    // A read, so it needs no transaction, idempotency key, or audit log entry.
    if (route.audited === false || isDryRun(json)) return readResource(app, { ...handled, reader: undefined }, call)
    const own = { ...app, workspaceId, traceparent: context.traceparent }
    const run = await prepare(own, handled.handler, call)
    const change = { ...handled, ...toRequest(c, context), call, workspaceId, run }
    const key = readIdempotencyKey(c, route)
    if (key === null) return inTransaction(own, (app) => makeChange(app, change))
    const scope = `admin:${callerKey(caller)}:${route.operation}`
    const request = [route.method, change.path, bytes]
    const keyed = { workspaceId, scope, key, request, cipher: app.cipher, hasSecrets }
    return runOnce(own, keyed, (app) => makeChange(app, change))
  })
}

const isDryRun = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'dry_run' in body && body.dry_run === true

const toRequest = (c: Context, { requestId }: RequestContext) => ({
  requestId,
  path: c.req.path,
  ifMatch: c.req.method === 'PATCH' ? c.req.raw.headers.get('if-match') : null,
})

async function readResource(
  app: App,
  { route, handler, reader }: HandledAdminRoute,
  call: AnyCall,
): Promise<TextResult> {
  if ('prepare' in handler) throw new Error(`${route.operation} is a read, so its handler cannot have \`prepare\`.`)
  const answer = await handler(app, call)
  // A list page is only part of a list, and a query selects parts of a resource, so they have no ETag.
  const isWhole = reader !== undefined && Object.keys(call.query ?? {}).length === 0
  return toJson(successStatus(route), answer, isWhole ? { etag: entityTag(answer) } : {})
}

async function prepare(app: App, handler: AdminHandler<AdminRoute>, call: AnyCall): Promise<AdminFunction<AdminRoute>> {
  if (!('prepare' in handler)) return handler
  const run = await handler.prepare(app, call)
  return (app) => run(app as TxApp) // only `makeChange` calls it
}

/** Public routes create sessions: a credential must not be stored under a key that others could guess. */
const readIdempotencyKey = (c: Context, { method, role }: AdminRoute) =>
  method === 'POST' && role !== 'public' ? c.req.raw.headers.get('idempotency-key') : null

async function makeChange(app: TxApp, change: Change): Promise<TextResult> {
  const { route, call, run, ifMatch } = change
  const resource = resourceOf(change)
  if (resource !== undefined) await lockText(app, resource)
  const before = await currentState(app, change)
  // A repeated change has already taken effect (RFC 9110 §13.1.1), such as the second one of a double click.
  if (!isApplied(call.body, before)) requireMatch(ifMatch, before)
  const result = await run(app, call)
  const { caller, query: _, body, ...params } = call
  const after = route.method === 'PATCH' ? await currentState(app, change) : undefined
  await addToAuditLog(app, toAuditEntry({ ...change, caller, params, body, before, after, answer: result }))
  return toJson(successStatus(route), result, after === undefined ? {} : { etag: entityTag(after) })
}

/**
 * The resource that a request changes, so that two changes of it happen one after another; undefined for a new one.
 * Named by the parsed parameters, because `/tickets/7` and `/tickets/07` are one ticket.
 */
function resourceOf({ route: { method, path, role }, call }: Change): string | undefined {
  const end = method === 'POST' ? path.lastIndexOf('/') : path.length
  const resource = path.slice(0, end)
  if (method === 'POST' && (!resource.endsWith('}') || resource.endsWith('{workspace}'))) return undefined
  const { caller: _, query: __, body: ___, ...params } = call
  return `${resource} ${JSON.stringify({ ...params, person: role === 'person' ? call.caller.user?.id : undefined })}`
}

async function currentState(app: App, { reader, call }: Pick<Change, 'reader' | 'call'>): Promise<unknown> {
  try {
    return await reader?.(app, call)
  } catch (thrown) {
    // The handler has its own message for this.
    if (thrown instanceof ApiError && thrown.code === 'not_found') return undefined
    throw thrown
  }
}

/** The person or token behind a call. */
export const callerKey = ({ kind, user, apiTokenId }: AdminCaller) =>
  kind === 'person' ? `person:${user?.id}` : `${kind}:${apiTokenId ?? ''}`

export const workspaceIdOf = (c: Context): number => Number(c.req.param('workspace'))

interface Body {
  readonly bytes: Uint8Array
  readonly json: unknown
  readonly caller: AdminCaller
}

/** Anyone may call a public route, without a rate limit. */
const maxPublicBytes = 16 * 1024

interface BodyToRead {
  readonly route: AdminRoute
  readonly right: AdminCaller
  readonly authorize: () => Promise<AdminCaller>
}

/** The body's bytes and its JSON; a missing body is an empty object. A route without a body ignores that of the request. */
async function readBody(app: App, c: Context, { route, ...access }: BodyToRead): Promise<Body> {
  if (route.body === undefined) return { bytes: new Uint8Array(), json: {}, caller: access.right }
  const limits = route.role === 'public' ? { sentBytes: maxPublicBytes } : {}
  const { bytes, right: caller } = await readAuthorizedBody(app, c, { ...access, limits })
  if (bytes.length === 0) return { bytes, json: {}, caller }
  requireJson(c.req.raw)
  return { bytes, json: parseJsonBody(bytes), caller }
}

/** The query string parsed by the route's schema; other parameters are rejected. Pagination has its own messages. */
export function parseQuery({ query }: AdminRoute, c: Context): unknown {
  if (query !== undefined && 'limit' in query.shape) {
    requireWholeNumber(c, 'limit', maxPageSize)
    requireWholeNumber(c, 'before', Number.MAX_SAFE_INTEGER)
  }
  return checkKnownQuery(query, c.req.query())
}

function requireWholeNumber(c: Context, name: string, largest: number): void {
  const text = c.req.query(name)
  if (text === undefined) return
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= largest) return
  throw validation({ [name]: [`The ${name} parameter must be a whole number from 1 to ${largest}.`] })
}
