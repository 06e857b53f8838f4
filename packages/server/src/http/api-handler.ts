import { type ApiRoute, priorities, successStatus, taskStatuses } from '@service/contract'
import type { Context, Handler } from 'hono'
import type { App } from '../context.ts'
import { checkInput, parseJsonBody } from '../core/check-input.ts'
import { validation } from '../core/errors.ts'
import { currentCapture } from '../core/request-capture.ts'
import { workspaceName } from '../modules/workspaces/service.ts'
import type { AnyApiHandler } from '../route-handler.ts'
import { bearerToken, requireCaller } from './bearer.ts'
import { isKnown } from './entity-tag.ts'
import { type HandlerResult, runOnce } from './idempotency.ts'
import { paramsReader, readBytes, readQuery, requireJson } from './read-request.ts'
import type { RequestPipeline } from './request-pipeline.ts'

// One function per request instead of a middleware chain: the checks run in the order of the lines, and a chain of
// async middleware would add a tenth to a short request.

/** An API route as a Hono handler: rate limit, 401, 403, body, response. */
export function handleApiRequest(app: App, pipeline: RequestPipeline, { route, handler }: HandledRoute): Handler {
  const { handle, status } = typeof handler === 'function' ? { handle: handler, status: undefined } : handler
  const readParams = paramsReader(route)
  return pipeline.wrapHandler(route.path, async (c, context) => {
    const found = await pipeline.admit(c.req.raw, context)
    const workspaceId = Number(c.req.param('workspace'))
    if (found !== undefined && found.workspaceId !== workspaceId) await requireWorkspace(app, workspaceId)
    const caller = requireCaller(found, { workspaceId, scope: route.scope, token: bearerToken(c.req.raw) })
    const params = readParams(c)
    const input = { ...params, workspaceId, caller, query: readQuery(route, c) as never } // parsed by the schema
    const own = { ...app, workspaceId, traceparent: context.traceparent }
    const answer = async (app: App, body: unknown): Promise<HandlerResult> => {
      const result = await handle(app, { ...input, body: body as never }) // as above
      return { status: status?.(app, result) ?? statusOfSuccess(app, route), json: JSON.stringify(result) }
    }
    if (route.body === undefined) {
      const key = `${route.operation} ${JSON.stringify([params, input.query ?? null])}`
      return answerList(own, { key, ifNoneMatch: c.req.raw.headers.get('if-none-match') }, () => answer(own, undefined))
    }
    return answerBody(own, c, { route, answer, scope: `token:${caller.tokenId}:${route.operation}` })
  })
}

interface HandledRoute {
  readonly route: ApiRoute
  readonly handler: AnyApiHandler
}

interface ListRequest {
  readonly key: string
  readonly ifNoneMatch: string | null
}

/** A list depends only on its workspace and the key, so it is the same for all callers. */
async function answerList(
  app: App & { readonly workspaceId: number },
  { key, ifNoneMatch }: ListRequest,
  answer: () => Promise<HandlerResult>,
): Promise<HandlerResult> {
  if (app.listCache === undefined) return answer()
  const { bytes, etag } = await app.listCache.answer(app.workspaceId, key, async () => (await answer()).json)
  // Request capture needs the text, and no ETag, which differs between processes.
  if (currentCapture() !== undefined) return { status: 200, json: Buffer.from(bytes.buffer).toString(), bytes }
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (isKnown(ifNoneMatch, etag)) return { status: 304, json: '', headers }
  return { status: 200, json: '', bytes, headers }
}

interface BodyRequest {
  readonly route: ApiRoute
  readonly answer: (app: App, body: unknown) => Promise<HandlerResult>
  readonly scope: string
}

async function answerBody(
  app: App & { readonly workspaceId: number },
  c: Context,
  { route, answer, scope }: BodyRequest,
): Promise<HandlerResult> {
  const bytes = await readBytes(c.req.raw, c.env)
  requireJson(c.req.raw)
  const body = route.body && checkInput(route.body, parseJsonBody(bytes))
  if (app.config.validation === 'strict') requireKnownValues(route.operation, body)
  const key = c.req.raw.headers.get('idempotency-key')
  if (key === null) return answer(app, body)
  const { workspaceId } = app
  const keyed = { workspaceId, scope, key, request: [c.req.method, c.req.path, bytes] }
  return runOnce(app, keyed, (app) => answer(app, body))
}

function statusOfSuccess(app: App, route: ApiRoute): number {
  const status = successStatus(route)
  return status === 201 ? app.config.createdStatus : status
}

/** Only if the platform is configured to reveal which workspaces exist. */
async function requireWorkspace(app: App, workspaceId: number): Promise<void> {
  if (app.config.unknownWorkspaceStatus === 404) await workspaceName(app, workspaceId)
}

/** Body fields with a list of known values, per operation. `validation: 'strict'` rejects other values. */
const knownValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'tickets.create': { priority: priorities },
  'tasks.create': { status: taskStatuses, priority: priorities },
}

function requireKnownValues(operation: string, body: unknown): void {
  const errors: Record<string, string[]> = {}
  for (const [field, known] of Object.entries(knownValues[operation] ?? {})) {
    const value = (body as Readonly<Record<string, unknown>>)[field] // an object, as its schema requires
    if (typeof value === 'string' && !known.includes(value)) {
      errors[field] = [`The ${field} field must be one of: ${known.join(', ')}.`]
    }
  }
  if (Object.keys(errors).length > 0) throw validation(errors)
}
