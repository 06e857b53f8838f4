import { type AdminRoute, fullPath, successStatus } from '@service/contract'
import { largestPage } from '@service/contract/admin/pages'
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
import { countingFailures } from './admin-login.ts'
import { hasSecrets, toAuditEntry } from './audit.ts'
import { entityTag, requireMatch } from './entity-tag.ts'
import { type HandlerResult, runOnce } from './idempotency.ts'
import { paramsReader, readBytes, requireJson } from './read-body.ts'
import type { RequestContext, RequestPipeline } from './request-pipeline.ts'

export interface HandledAdminRoute {
  readonly route: AdminRoute
  readonly handler: AdminHandler<AdminRoute>
  /** Reads what the route is about: the GET of its own path, or of the path before an action's name. */
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
 * A route of administration as a Hono handler. The order of checks: who asks, the workspace, the role, the parameters,
 * the body, `Idempotency-Key`, `If-Match`. Every change and its entry in the audit log are one transaction.
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
    const place = workspaceId === undefined ? {} : { workspaceId }
    const params = readParams(c)
    const query = queryOf(route, c) as never // by the route's own schema, which the handler's type is made of
    if (route.method === 'GET')
      return look(app, handled, { ...place, ...params, query, caller, body: undefined as never })
    // Whatever comes with a route that has no body is not looked at.
    const { bytes, json } = route.body === undefined ? noBody : await bodyOf(c)
    const body = (route.body && checkKnownInput(route.body, json)) as never // likewise
    const call = { ...place, ...params, query, body, caller } as AnyCall // the workspace is in the calls of its routes
    // It changes nothing, so it needs no transaction, no idempotency key, and no entry in the audit log.
    if (route.audited === false) return look(app, { ...handled, reader: undefined }, call)
    const work = async () => {
      const run = await prepare(app, handled.handler, call)
      const change = { ...handled, ...requestOf(c, context), call, workspaceId, run }
      const key = keyOf(c, route)
      if (key === null) return inTransaction(app, (app) => makeChange(app, change))
      const scope = `admin:${nameOf(caller)}:${route.operation}`
      const keyed = {
        workspaceId,
        scope,
        key,
        request: [route.method, change.path, bytes],
        cipher: app.cipher,
        hasSecrets,
      }
      return runOnce(app, keyed, (app) => makeChange(app, change))
    }
    const keys = route.role === 'public' ? signInKeys(context, json) : passwordKeys(context, caller, json)
    return keys.length === 0 ? work() : countingFailures(app, keys, work)
  })
}

const requestOf = (c: Context, { requestId }: RequestContext) => ({
  requestId,
  path: c.req.path,
  ifMatch: c.req.method === 'PATCH' ? c.req.raw.headers.get('if-match') : null,
})

async function look(app: App, { route, handler, reader }: HandledAdminRoute, call: AnyCall): Promise<HandlerResult> {
  if ('prepare' in handler) throw new Error(`${route.operation} reads, so it has nothing to prepare.`)
  const answer = await handler(app, call)
  // Of lists nobody has read all, so they have no version.
  const headers = reader === undefined ? {} : { etag: entityTag(answer) }
  return { status: successStatus(route), json: JSON.stringify(answer), headers }
}

async function prepare(app: App, handler: AdminHandler<AdminRoute>, call: AnyCall): Promise<AdminFunction<AdminRoute>> {
  if (!('prepare' in handler)) return handler
  const run = await handler.prepare(app, call)
  return (app) => run(app as TxApp) // it is called by `makeChange` only
}

/** Public routes make sessions: a credential is not stored under a key that somebody else may guess. */
const keyOf = (c: Context, { method, role }: AdminRoute) =>
  method === 'POST' && role !== 'public' ? c.req.raw.headers.get('idempotency-key') : null

async function makeChange(app: TxApp, change: Change): Promise<HandlerResult> {
  const { route, call, run, ifMatch, path, workspaceId } = change
  if (workspaceId !== undefined) app.store.noteWorkspaces([workspaceId])
  if (route.method === 'PATCH') await lockText(app, path)
  const before = await currentState(app, change)
  requireMatch(ifMatch, before)
  const answer = await run(app, call)
  const { caller, query: _, body, ...params } = call
  await recordChange(app, toAuditEntry({ ...change, caller, params, body, before, answer }))
  const headers = route.method === 'PATCH' ? await tagOf(app, change) : {}
  return { status: successStatus(route), json: JSON.stringify(answer), headers }
}

async function currentState(app: App, { reader, call }: Pick<Change, 'reader' | 'call'>): Promise<unknown> {
  try {
    return await reader?.(app, call)
  } catch (thrown) {
    // The handler has its own words for it.
    if (thrown instanceof ApiError && thrown.code === 'not_found') return undefined
    throw thrown
  }
}

async function tagOf(app: App, change: Change): Promise<Readonly<Record<string, string>>> {
  const after = await currentState(app, change)
  return after === undefined ? {} : { etag: entityTag(after) }
}

const nameOf = ({ kind, user, apiTokenId }: AdminCaller) =>
  kind === 'person' ? `person:${user?.id}` : `${kind}:${apiTokenId ?? ''}`

/** A password may be guessed from many addresses, and from one address those of many. */
function signInKeys({ address }: RequestContext, body: unknown): string[] {
  const email: unknown = Object(body).email
  const account = typeof email === 'string' ? [`account:${email.trim().toLowerCase().slice(0, 255)}`] : []
  return [addressKey(address), ...account]
}

/** A wrong current password counts separately from sign-in, so that it cannot lock anyone out. */
function passwordKeys({ address }: RequestContext, { user }: AdminCaller, body: unknown): string[] {
  if (user === undefined || Object(body).current_password === undefined) return []
  return [`password:${addressKey(address)}`, `password:person:${user.id}`]
}

export const workspaceIdOf = (c: Context): number => Number(c.req.param('workspace'))

interface Body {
  readonly bytes: Uint8Array
  readonly json: unknown
}

const noBody: Body = { bytes: new Uint8Array(), json: {} }

/** The body's bytes and its JSON, which is an empty object where there is none. */
async function bodyOf(c: Context): Promise<Body> {
  const bytes = await readBytes(c.req.raw, c.env)
  if (bytes.length === 0) return noBody
  requireJson(c.req.raw)
  return { bytes, json: parseJsonBody(bytes) }
}

/** The query string as the route's schema has it, and nothing else. Pages say in their own sentence what is wrong with them. */
export function queryOf({ query }: AdminRoute, c: Context): unknown {
  if (query !== undefined && 'limit' in query.shape) {
    requireWholeNumber(c, 'limit', largestPage)
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
