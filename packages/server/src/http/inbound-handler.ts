import type { InboundRoute } from '@service/contract'
import type { Context, Handler } from 'hono'
import type { App } from '../context.ts'
import { ApiError } from '../core/errors.ts'
import { nextSlice } from '../core/next-turn.ts'
import { bodyToStore, recordDelivery } from '../modules/inbound-deliveries/service.ts'
import { requireActiveWorkspace } from '../modules/workspaces/service.ts'
import type { InboundCall, InboundReply, PingHandler, ReceiveHandler } from '../route-handler.ts'
import { type HandlerResult, runOnce } from './idempotency.ts'
import { maxBodyBytes, readBytes, readHeaders } from './read-request.ts'
import type { RequestContext, RequestPipeline } from './request-pipeline.ts'

interface Handled<Handler> {
  readonly route: InboundRoute
  readonly handler: Handler
}

/** A ping needs no credential. It counts toward the rate limit of the address. */
export function handlePing(app: App, pipeline: RequestPipeline, { route, handler }: Handled<PingHandler>): Handler {
  return pipeline.wrapHandler(route.path, async (c, context) => {
    const call = await callOf(app, pipeline, { c, context })
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
    const call = await callOf(app, pipeline, { c, context: requestContext })
    const { credential, context } = await handler.authorize(app, call)
    const body = await readBytes(c.req.raw, c.env, handler.maxBodyBytes ?? maxBodyBytes)
    if (body.length > quickBodyBytes) await nextSlice()
    const received = { ...call, body, requestId: requestContext.requestId }
    handler.verifyBody?.(app, received, context)
    const delivery = { ...received, stored: bodyToStore(app, integrationOf(c), received) }
    const key = call.headers['idempotency-key']
    const own = { ...app, workspaceId: call.workspaceId, traceparent: requestContext.traceparent }
    const answer = async (app: App) => toAnswer(await handler.receive(app, delivery, context))
    try {
      if (key === undefined || route.idempotencyKey === false) return await answer(own)
      const scope = scopeOf(route, call, credential)
      const { workspaceId } = call
      return await runOnce(own, { workspaceId, scope, key, request: [c.req.method, c.req.path, body] }, answer)
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === 'validation') {
        await recordDelivery(own, delivery, {
          integration: integrationOf(c),
          source: call.params['source'],
          status: 422,
          summary: refusal.message,
        })
      }
      throw refusal
    }
  })
}

/** Two devices, or an error reporter and a lead form, may both count "1", "2", …; their keys must not collide. */
function scopeOf({ operation }: InboundRoute, { workspaceId, params }: InboundCall, credential: string): string {
  return `inbound:${workspaceId}:${operation}:${params['source'] ?? ''}:${credential}`
}

/** `errors`, `attendance`, the key of a Git provider, or `leads`. */
const integrationOf = (c: Context) => c.req.path.split('/')[4] ?? ''

async function callOf(
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

function toAnswer(reply: InboundReply): HandlerResult {
  if ('text' in reply) return { status: reply.status, json: reply.text, contentType: reply.contentType }
  return { status: reply.status, json: JSON.stringify(reply.answer) }
}
