import { type ApiRoute, successStatus } from '@service/contract'
import { knownValues } from '@service/contract/known-values'
import type { Context, Handler } from 'hono'
import type { App, WorkspaceApp } from '../context.ts'
import { checkInput, parseJsonBody } from '../core/check-input.ts'
import { validation } from '../core/errors.ts'
import { currentCapture } from '../core/request-capture.ts'
import { requireCaller } from '../modules/tokens/access-service.ts'
import { type Caller, findCaller } from '../modules/tokens/service.ts'
import { workspaceName } from '../modules/workspaces/service.ts'
import type { AnyApiHandler, ApiHandlerWithOptions } from '../route-handler.ts'
import { bearerToken } from './bearer.ts'
import { isKnown } from './entity-tag.ts'
import { toJson } from './error-response.ts'
import type { HandlerResult, TextResult } from './handler-result.ts'
import { runOnce } from './idempotency.ts'
import { paramsReader, readAuthorizedBody, readQuery, requireJson } from './read-request.ts'
import type { RequestPipeline } from './request-pipeline.ts'

// One function per request instead of a middleware chain: the checks run in the order of the lines, and a chain of
// async middleware would add a tenth to a short request.

/** An API route as a Hono handler: rate limit, 401, 403, body, response. */
export function handleApiRequest(app: App, pipeline: RequestPipeline, { route, handler }: HandledRoute): Handler {
  const options: ApiHandlerWithOptions<ApiRoute> = typeof handler === 'function' ? { handle: handler } : handler
  const { handle, status, checkUnknown } = options
  const readParams = paramsReader(route)
  return pipeline.wrapHandler(route.path, async (c, context) => {
    const found = await pipeline.admit(c.req.raw, context)
    const workspaceId = Number(c.req.param('workspace'))
    if (found !== undefined && found.workspaceId !== workspaceId) await requireWorkspace(app, workspaceId)
    const token = bearerToken(c.req.raw)
    const authorize = (found: Caller | undefined) => requireCaller(found, { workspaceId, scope: route.scope, token })
    const caller = authorize(found)
    const params = readParams(c)
    const input = { ...params, workspaceId, caller, query: readQuery(route, c) as never } // parsed by the schema
    const own: WorkspaceApp = { ...app, workspaceId, traceparent: context.traceparent }
    const answer = async (app: App, body: unknown): Promise<TextResult> => {
      const result = await handle(app, { ...input, body: body as never }) // as above
      return toJson(status?.(app, result) ?? statusOfSuccess(app, route), result)
    }
    if (route.body === undefined) {
      const key = `${route.operation} ${JSON.stringify([params, input.query ?? null])}`
      return answerGet(own, { key, ifNoneMatch: c.req.raw.headers.get('if-none-match') }, () => answer(own, undefined))
    }
    const { bytes } = await readAuthorizedBody(app, c, {
      right: caller,
      authorize: async () => authorize(token === undefined ? undefined : await findCaller(app, token)),
    })
    const scope = `token:${caller.tokenId}:${route.operation}`
    return answerBody(own, c, { route, bytes, answer, checkUnknown, scope })
  })
}

interface HandledRoute {
  readonly route: ApiRoute
  readonly handler: AnyApiHandler
}

interface GetRequest {
  readonly key: string
  readonly ifNoneMatch: string | null
}

/** What is read depends only on the workspace and the key, so it is the same for all callers. */
async function answerGet(
  app: WorkspaceApp,
  { key, ifNoneMatch }: GetRequest,
  answer: () => Promise<TextResult>,
): Promise<HandlerResult> {
  if (app.listCache === undefined) return answer()
  const { bytes, etag } = await app.listCache.answer(app.workspaceId, key, async () => (await answer()).text)
  // Request capture needs the text, and no ETag, which differs between processes.
  if (currentCapture() !== undefined) return { kind: 'text', status: 200, text: Buffer.from(bytes.buffer).toString() }
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (isKnown(ifNoneMatch, etag)) return { kind: 'not modified', status: 304, headers }
  return { kind: 'bytes', status: 200, bytes, headers }
}

interface BodyRequest {
  readonly route: ApiRoute
  readonly bytes: Uint8Array
  readonly answer: (app: App, body: unknown) => Promise<TextResult>
  readonly checkUnknown: ((app: App, json: unknown) => void) | undefined
  readonly scope: string
}

async function answerBody(
  app: WorkspaceApp,
  c: Context,
  { route, bytes, answer, checkUnknown, scope }: BodyRequest,
): Promise<TextResult> {
  requireJson(c.req.raw)
  const json = parseJsonBody(bytes)
  const body = route.body && checkInput(route.body, json)
  checkUnknown?.(app, json)
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

const knownByField: Readonly<Record<string, Readonly<Record<string, readonly string[] | null>>>> = knownValues

function requireKnownValues(operation: string, body: unknown): void {
  const errors: Record<string, string[]> = {}
  for (const [field, known] of Object.entries(knownByField[operation] ?? {})) {
    const value = (body as Readonly<Record<string, unknown>>)[field] // an object, as its schema requires
    if (known !== null && typeof value === 'string' && !known.includes(value)) {
      errors[field] = [`The ${field} field must be one of: ${known.join(', ')}.`]
    }
  }
  if (Object.keys(errors).length > 0) throw validation(errors)
}
