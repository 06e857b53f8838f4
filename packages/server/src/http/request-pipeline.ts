import type { Context, Handler } from 'hono'
import type { App } from '../context.ts'
import { addressKey, requestAddress } from '../core/addresses.ts'
import { stopwatchMs } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import { currentCapture } from '../core/request-capture.ts'
import { readTraceparent, traceRequest } from '../core/tracing.ts'
import { type Caller, findCaller } from '../modules/tokens/service.ts'
import { bearerToken } from './bearer.ts'
import { jsonHeaders, toErrorResponse } from './error-response.ts'
import type { HandlerResult } from './idempotency.ts'
import { type Allowance, countCallers, rateLimitHeaders, toAllowance, tooManyAttempts } from './rate-limit.ts'

export interface RequestContext {
  readonly requestId: string
  readonly address: string
  readonly startedAt: number
  allowance: Allowance | undefined
  caller: Caller | undefined
  /** The trace that the caller continues. */
  readonly traceparent: string | undefined
}

/** Shared by all guarded routes: request id, rate limit, error responses, and one log line per request. */
export interface RequestPipeline {
  /** `route` is the pattern to log. */
  wrapHandler(route: string, answer: (c: Context, context: RequestContext) => Promise<HandlerResult>): Handler
  /** The caller of a valid bearer token, if any. Counts the request per token or address; too many throw a 429. */
  admit(request: Request, context: RequestContext): Promise<Caller | undefined>
}

export function createRequestPipeline(app: App): RequestPipeline {
  const countCaller = countCallers(app)
  const addressOf = requestAddress(app.config)
  return {
    async admit(request, context) {
      const token = bearerToken(request)
      const limit = app.config.rateLimit // read per request, because a test may change it
      if (limit === 'off') {
        context.caller = token === undefined ? undefined : await findCaller(app, token)
      } else {
        const { caller, ...counted } = await countCaller({ token, address: addressKey(context.address), limit })
        context.caller = caller
        context.allowance = toAllowance(limit, counted)
      }
      const capture = currentCapture()
      if (capture !== undefined && context.caller !== undefined) capture.caller = context.caller
      if (context.allowance?.exceeded === true) throw tooManyAttempts(context.allowance, app.clock.now())
      return context.caller
    },
    wrapHandler: (route, answer) => async (c) => {
      const { headers } = c.req.raw
      const context: RequestContext = {
        requestId: requestIdOf(headers.get('x-request-id'), app.ids),
        address: addressOf(c.req.raw, c.env),
        startedAt: stopwatchMs(),
        allowance: undefined,
        caller: undefined,
        traceparent: readTraceparent(headers),
      }
      const { method } = c.req
      const {
        status,
        json,
        stream,
        bytes,
        headers: extra,
      } = await traceRequest({ method, route, headers }, () => runHandler(app, context, () => answer(c, context)))
      logRequest(app, context, { method, route, status })
      const capture = currentCapture()
      if (capture !== undefined) capture.answer = json
      return new Response(status === 304 ? null : (stream ?? bytes ?? json), {
        status,
        headers: responseHeaders(context, extra),
      })
    },
  }
}

async function runHandler(app: App, context: RequestContext, answer: () => Promise<HandlerResult>) {
  try {
    const { status, json, stream, bytes, replayed, contentType, headers: own } = await answer()
    const headers = {
      ...(replayed === true ? { 'idempotency-replayed': 'true' } : {}),
      ...own,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    }
    return { status, json, stream, bytes, headers }
  } catch (thrown) {
    return { ...toErrorResponse(thrown, app.log, context.requestId), stream: undefined, bytes: undefined }
  }
}

/** One plain object: setting headers one by one on a Response would take a third of a short request's time. */
function responseHeaders(context: RequestContext, extra: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...jsonHeaders,
    'cache-control': 'no-store',
    'x-request-id': context.requestId,
    ...(context.allowance === undefined ? {} : rateLimitHeaders(context.allowance)),
    ...extra,
  }
}

function logRequest(
  app: App,
  context: RequestContext,
  { method, route, status }: { method: string; route: string; status: number },
): void {
  const durationMs = stopwatchMs() - context.startedAt
  app.metrics.request({ method, route, status, durationMs })
  app.log.info(`${method} ${route} answered ${status}.`, {
    request_id: context.requestId,
    method,
    route,
    status,
    ms: Math.round(durationMs * 10) / 10,
    workspace_id: context.caller?.workspaceId,
    token_id: context.caller?.tokenId,
  })
}

const safeRequestId = /^[\w.:-]{1,128}$/

/** The caller's `X-Request-Id` if it is safe to log and echo, else a new one. */
function requestIdOf(header: string | null, ids: Ids): string {
  return header !== null && safeRequestId.test(header) ? header : ids.uuid()
}
