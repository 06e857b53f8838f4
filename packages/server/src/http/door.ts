import type { Context, Handler } from 'hono'
import { ApiError } from '../api-error.ts'
import type { App } from '../context.ts'
import type { Caller } from '../modules/tokens/service.ts'
import { stopwatchMs } from '../real-timers.ts'
import { currentTrace } from '../trace.ts'
import { clientAddress } from './client-address.ts'
import { toRefusal } from './error-reply.ts'
import type { Answer } from './idempotency.ts'
import { type Allowance, exceededHeaders, rateLimiter, rateLimitHeaders } from './rate-limit.ts'
import { requestIdOf } from './request-id.ts'

/** What is known about one request on its way in. */
export interface Visit {
  readonly requestId: string
  readonly address: string
  readonly startedAt: number
  allowance: Allowance | undefined
  caller: Caller | undefined
}

/** What all guarded routes share: request id, one rate limit, one reply for refusals, one log line. */
export interface Door {
  /** `route` is the pattern that the log names. */
  guard(route: string, answer: (c: Context, visit: Visit) => Promise<Answer>): Handler
  /** Counts the request under `key`, or under its address where no valid token is used; too many give 429. */
  limit(visit: Visit, key: string | undefined): void
}

type NodeEnv = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } } | undefined

export function openDoor(app: App): Door {
  const limiter = rateLimiter(app.clock, () => app.config.rateLimit)
  const addressOf = clientAddress(app.config.trustedProxies)
  return {
    limit(visit, key) {
      visit.allowance = limiter.hit(key ?? `address:${visit.address}`)
      if (visit.allowance?.exceeded !== true) return
      throw new ApiError('rate_limited', 'Too Many Attempts.', {
        headers: exceededHeaders(visit.allowance, app.clock.now()),
      })
    },
    guard: (route, answer) => async (c) => {
      const { headers } = c.req.raw
      const peer = (c.env as NodeEnv)?.incoming?.socket?.remoteAddress // present when the request came over a port
      const visit: Visit = {
        requestId: requestIdOf(headers.get('x-request-id'), app.ids),
        address: addressOf(peer, headers.get('x-forwarded-for')),
        startedAt: stopwatchMs(),
        allowance: undefined,
        caller: undefined,
      }
      const { status, json, headers: extra } = await attempt(app, visit, () => answer(c, visit))
      logVisit(app, visit, { method: c.req.method, route, status })
      const trace = currentTrace()
      if (trace !== undefined) trace.answer = json
      return new Response(json, { status, headers: replyHeaders(visit, extra) })
    },
  }
}

async function attempt(app: App, visit: Visit, answer: () => Promise<Answer>) {
  try {
    const { status, json, replayed, contentType } = await answer()
    const headers = {
      ...(replayed === true ? { 'idempotency-replayed': 'true' } : {}),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    }
    return { status, json, headers }
  } catch (thrown) {
    return toRefusal(thrown, app.log, visit.requestId)
  }
}

/** One plain object: setting headers one by one on a Response costs a third of a short request. */
function replyHeaders(visit: Visit, extra: Readonly<Record<string, string>>): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': visit.requestId,
    ...(visit.allowance === undefined ? {} : rateLimitHeaders(visit.allowance)),
    ...extra,
  }
}

function logVisit(
  app: App,
  visit: Visit,
  { method, route, status }: { method: string; route: string; status: number },
): void {
  app.log.info(`${method} ${route} answered ${status}.`, {
    request_id: visit.requestId,
    method,
    route,
    status,
    ms: Math.round((stopwatchMs() - visit.startedAt) * 10) / 10,
    workspace_id: visit.caller?.workspaceId,
    token_id: visit.caller?.tokenId,
  })
}
