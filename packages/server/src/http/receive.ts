import type { Context, Handler } from 'hono'
import { ApiError } from '../api-error.ts'
import type { App } from '../context.ts'
import type { InboundCall, InboundReply, PingHandler, ReceiveHandler } from '../inbound-handler.ts'
import { noteDelivery } from '../modules/inbound-deliveries/service.ts'
import { workspaceName } from '../modules/workspaces/service.ts'
import { callerOf } from './bearer.ts'
import type { Door, Visit } from './door.ts'
import { type Answer, answerOnce } from './idempotency.ts'
import { maxBodyBytes, readBytes } from './read-body.ts'

/** A ping: no credential, counted per address together with everything else. */
export function answerPing(app: App, door: Door, { route, ping }: PingHandler): Handler {
  return door.guard(route.path, async (c, visit) => {
    const call = await callOf(app, door, { c, visit })
    return toAnswer(await ping(app, call))
  })
}

/** A delivery: rate limit, then whether the integration is on (404) and the secret right (401), then the body. */
export function receive(app: App, door: Door, handler: ReceiveHandler): Handler {
  return door.guard(handler.route.path, async (c, visit) => {
    const call = await callOf(app, door, { c, visit })
    await handler.authorize(app, call)
    const body = await readBytes(c.req.raw, handler.maxBodyBytes ?? maxBodyBytes)
    const delivery = { ...call, body, requestId: visit.requestId }
    const key = call.headers['idempotency-key']
    const answer = async (app: App) => toAnswer(await handler.receive(app, delivery))
    try {
      if (key === undefined || handler.idempotencyKey === false) return await answer(app)
      const scope = `inbound:${call.workspaceId}`
      return await answerOnce(app, { scope, key, request: [c.req.method, c.req.path, body] }, answer)
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === 'validation') {
        await noteDelivery(app, delivery, { integration: integrationOf(c), status: 422, summary: refusal.message })
      }
      throw refusal
    }
  })
}

/** `errors`, `attendance`, a Git provider's key, or `leads`. */
const integrationOf = (c: Context) => c.req.path.split('/')[4] ?? ''

async function callOf(app: App, door: Door, { c, visit }: { c: Context; visit: Visit }): Promise<InboundCall> {
  const caller = await callerOf(app, c.req.raw.headers.get('authorization'))
  visit.caller = caller
  door.limit(visit, caller === undefined ? undefined : `token:${caller.tokenId}`)
  const workspaceId = Number(c.req.param('workspace'))
  return {
    workspaceId,
    workspaceName: await workspaceName(app, workspaceId),
    params: c.req.param(),
    query: new URL(c.req.url).searchParams,
    headers: Object.fromEntries(c.req.raw.headers),
    caller,
  }
}

function toAnswer(reply: InboundReply): Answer {
  if ('text' in reply) return { status: reply.status, json: reply.text, contentType: reply.contentType }
  return { status: reply.status, json: JSON.stringify(reply.answer) }
}
