import type { InboundRoute } from '@service/contract'
import type { Context, Handler } from 'hono'
import type { App, WorkspaceApp } from '../context.ts'
import { nextSlice } from '../core/next-turn.ts'
import { bodyToStore, recordRefusal } from '../modules/inbound-deliveries/service.ts'
import { findCaller } from '../modules/tokens/service.ts'
import { requireActiveWorkspace } from '../modules/workspaces/service.ts'
import type { InboundCall, InboundReply, PingHandler, ReceiveHandler } from '../route-handler.ts'
import { bearerToken } from './bearer.ts'
import { toJson } from './error-response.ts'
import type { TextResult } from './handler-result.ts'
import { runOnce } from './idempotency.ts'
import { readAuthorizedBody, readHeaders } from './read-request.ts'
import type { RequestContext, RequestPipeline } from './request-pipeline.ts'

interface Handled<Handler> {
  readonly route: InboundRoute
  readonly handler: Handler
}

/** A ping needs no credential. It counts toward the rate limit of the address. */
export function handlePing(app: App, pipeline: RequestPipeline, { route, handler }: Handled<PingHandler>): Handler {
  return pipeline.wrapHandler(route.path, async (c, context) => {
    const call = await admitCall(app, pipeline, { c, context })
    return toAnswer(await handler.ping(app, call))
  })
}

/** A longer body takes so long to verify and parse that only one is started per event-loop turn. */
const quickBodyBytes = 16 * 1024

/** A delivery. Checks run in this order: rate limit, integration enabled (404), credential (401), body. */
export function handleInboundDelivery(
  app: App,
  pipeline: RequestPipeline,
  { route, handler }: Handled<ReceiveHandler>,
): Handler {
  return pipeline.wrapHandler(route.path, async (c, requestContext) => {
    const call = await admitCall(app, pipeline, { c, context: requestContext })
    const { bytes: body, right } = await readAuthorizedBody(app, c, {
      right: await handler.authorize(app, call),
      authorize: async () => handler.authorize(app, await findCallAgain(app, c, call)),
      limits: handler.limits,
    })
    const { credential, deviceId, context } = right
    if (body.length > quickBodyBytes) await nextSlice()
    const { 'content-encoding': _, ...headers } = call.headers // undone
    const received = { ...call, headers, body, requestId: requestContext.requestId }
    await handler.verifyBody?.(app, received, context)
    const integration = handler.integrationOf(call)
    const delivery = { ...received, deviceId, stored: bodyToStore(app, integration, received) }
    const key = call.headers['idempotency-key']
    const own: WorkspaceApp = { ...app, workspaceId: call.workspaceId, traceparent: requestContext.traceparent }
    const answer = async (app: App) => toAnswer(await handler.receive(app, delivery, context))
    try {
      if (key === undefined || route.idempotencyKey === false) return await answer(own)
      const scope = toScope(route, call, credential)
      const { workspaceId } = call
      return await runOnce(own, { workspaceId, scope, key, request: [c.req.method, c.req.path, body] }, answer)
    } catch (refusal) {
      await recordRefusal(own, delivery, { integration, source: call.params['source'], refusal })
      throw refusal
    }
  })
}

/** Two devices, or an error reporter and a lead form, may both count "1", "2", …; their keys must not collide. */
function toScope({ operation }: InboundRoute, { workspaceId, params }: InboundCall, credential: string): string {
  return `inbound:${workspaceId}:${operation}:${params['source'] ?? ''}:${credential}`
}

async function admitCall(
  app: App,
  pipeline: RequestPipeline,
  { c, context }: { c: Context; context: RequestContext },
): Promise<InboundCall> {
  const caller = await pipeline.admit(c.req.raw, context)
  const workspaceId = Number(c.req.param('workspace'))
  await requireActiveWorkspace(app, workspaceId)
  return {
    workspaceId,
    params: c.req.param(),
    query: new URL(c.req.url).searchParams,
    headers: readHeaders(c.req.raw, c.env),
    caller,
  }
}

/** The call as it is now, when the workspace may be disabled, and the token revoked. */
async function findCallAgain(app: App, c: Context, call: InboundCall): Promise<InboundCall> {
  const token = bearerToken(c.req.raw)
  await requireActiveWorkspace(app, call.workspaceId)
  return { ...call, caller: token === undefined ? undefined : await findCaller(app, token) }
}

function toAnswer(reply: InboundReply): TextResult {
  const { status } = reply
  if ('answer' in reply) {
    const { answer, isRefusal = false } = reply
    return { ...toJson(status, answer), isRefusal }
  }
  return { kind: 'text', status, text: reply.text, headers: { 'content-type': reply.contentType } }
}
