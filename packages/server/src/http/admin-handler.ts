import { type AdminRoute, fullPath, successStatus } from '@service/contract'
import { maxPageSize } from '@service/contract/admin/pages'
import type { Context, Handler } from 'hono'
import type { App, TxApp } from '../context.ts'
import { addressKey } from '../core/addresses.ts'
import type { AdminCaller } from '../core/admin-caller.ts'
import { checkKnownInput, checkKnownQuery, parseJsonBody } from '../core/check-input.ts'
import { ApiError, validation } from '../core/errors.ts'
import { recordChange } from '../modules/audit-log/service.ts'
import type { AdminCall, AdminFunction, AdminHandler } from '../route-handler.ts'
import { inTransaction, lockText } from '../store/transaction.ts'
import type { Authorize } from './admin-access.ts'
import { withFailureCount } from './admin-login.ts'
import { hasSecrets, toAuditEntry } from './audit-entry.ts'
import { entityTag, requireMatch } from './entity-tag.ts'
import { type HandlerResult, runOnce } from './idempotency.ts'
import { paramsReader, readBytes, requireJson } from './read-request.ts'
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
    const caller = await authorize({ request: c.req.raw, address: context.address, route, workspaceId })
    const workspaceParam = workspaceId === undefined ? {} : { workspaceId }
    const params = readParams(c)
    const query = queryOf(route, c) as never // parsed by the schema that the handler's type derives from
    if (route.method === 'GET')
      return readResource(app, handled, { ...workspaceParam, ...params, query, caller, body: undefined as never })
    // A route without a body ignores the request body.
    const { bytes, json } = route.body === undefined ? emptyBody : await bodyOf(c)
    const body = (route.body && checkKnownInput(route.body, json)) as never // as above
    const call = { ...workspaceParam, ...params, query, body, caller } as AnyCall // workspace routes add the workspace
    // A read, so it needs no transaction, idempotency key, or audit log entry.
    if (route.audited === false) return readResource(app, { ...handled, reader: undefined }, call)
    const own = { ...app, traceparent: context.traceparent }
    const work = async () => {
      const run = await prepare(own, handled.handler, call)
      const change = { ...handled, ...requestOf(c, context), call, workspaceId, run }
      const key = keyOf(c, route)
      if (key === null) return inTransaction(own, (app) => makeChange(app, change))
      const scope = `admin:${idempotencyOwner(caller)}:${route.operation}`
      const keyed = {
        workspaceId,
        scope,
        key,
        request: [route.method, change.path, bytes],
        cipher: app.cipher,
        hasSecrets,
      }
      return runOnce(own, keyed, (app) => makeChange(app, change))
    }
    const keys = route.role === 'public' ? signInKeys(context, json) : passwordKeys(context, caller, json)
    return keys.length === 0 ? work() : withFailureCount(app, keys, work)
  })
}

const requestOf = (c: Context, { requestId }: RequestContext) => ({
  requestId,
  path: c.req.path,
  ifMatch: c.req.method === 'PATCH' ? c.req.raw.headers.get('if-match') : null,
})

async function readResource(
  app: App,
  { route, handler, reader }: HandledAdminRoute,
  call: AnyCall,
): Promise<HandlerResult> {
  if ('prepare' in handler) throw new Error(`${route.operation} is a read, so its handler cannot have \`prepare\`.`)
  const answer = await handler(app, call)
  // A list page is only part of a list, so it has no ETag.
  const headers = reader === undefined ? {} : { etag: entityTag(answer) }
  return { status: successStatus(route), json: JSON.stringify(answer), headers }
}

async function prepare(app: App, handler: AdminHandler<AdminRoute>, call: AnyCall): Promise<AdminFunction<AdminRoute>> {
  if (!('prepare' in handler)) return handler
  const run = await handler.prepare(app, call)
  return (app) => run(app as TxApp) // only `makeChange` calls it
}

/** Public routes create sessions: a credential must not be stored under a key that others could guess. */
const keyOf = (c: Context, { method, role }: AdminRoute) =>
  method === 'POST' && role !== 'public' ? c.req.raw.headers.get('idempotency-key') : null

async function makeChange(app: TxApp, change: Change): Promise<HandlerResult> {
  const { route, call, run, ifMatch, path, workspaceId } = change
  if (workspaceId !== undefined) app.store.noteWorkspaces([workspaceId])
  if (route.method === 'PATCH') await lockText(app, path)
  const before = await currentState(app, change)
  requireMatch(ifMatch, before)
  const result = await run(app, call)
  const { caller, query: _, body, ...params } = call
  const after = route.method === 'PATCH' ? await currentState(app, change) : undefined
  await recordChange(app, toAuditEntry({ ...change, caller, params, body, before, after, answer: result }))
  const headers = after === undefined ? {} : { etag: entityTag(after) }
  return { status: successStatus(route), json: JSON.stringify(result), headers }
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

const idempotencyOwner = ({ kind, user, apiTokenId }: AdminCaller) =>
  kind === 'person' ? `person:${user?.id}` : `${kind}:${apiTokenId ?? ''}`

/** Counted by address and by account: attackers may use many addresses, or try many accounts from one. */
function signInKeys({ address }: RequestContext, body: unknown): string[] {
  const email: unknown = Object(body).email
  const account = typeof email === 'string' ? [`account:${email.trim().toLowerCase().slice(0, 255)}`] : []
  return [addressKey(address), ...account]
}

/** A wrong current password is counted separately from sign-in, so that it cannot lock anyone out. */
function passwordKeys({ address }: RequestContext, { user }: AdminCaller, body: unknown): string[] {
  if (user === undefined || Object(body).current_password === undefined) return []
  return [`password:${addressKey(address)}`, `password:person:${user.id}`]
}

export const workspaceIdOf = (c: Context): number => Number(c.req.param('workspace'))

interface Body {
  readonly bytes: Uint8Array
  readonly json: unknown
}

const emptyBody: Body = { bytes: new Uint8Array(), json: {} }

/** The body's bytes and its JSON; a missing body is an empty object. */
async function bodyOf(c: Context): Promise<Body> {
  const bytes = await readBytes(c.req.raw, c.env)
  if (bytes.length === 0) return emptyBody
  requireJson(c.req.raw)
  return { bytes, json: parseJsonBody(bytes) }
}

/** The query string parsed by the route's schema; other parameters are rejected. Pagination has its own messages. */
export function queryOf({ query }: AdminRoute, c: Context): unknown {
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
