import type { Context, Handler } from 'hono'
import type { App } from '../context.ts'
import { addressKey, requestAddress } from '../core/addresses.ts'
import { stopwatchMs } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import { tooManyAttempts } from '../core/rate-windows.ts'
import { currentCapture } from '../core/request-capture.ts'
import { activeTraceId, readTraceparent, traceIdOf, traceRequest } from '../core/tracing.ts'
import { type Caller, findCaller } from '../modules/tokens/service.ts'
import { bearerToken } from './bearer.ts'
import { jsonHeaders, toErrorResponse } from './error-response.ts'
import type { HandlerResult } from './handler-result.ts'
import { type Allowance, countCallers, rateLimitHeaders, toAllowance } from './rate-limit.ts'

export interface RequestContext {
  readonly requestId: string
  readonly address: string
  readonly startedAt: number
  allowance: Allowance | undefined
  caller: Caller | undefined
  /** The trace that the caller continues. */
  readonly traceparent: string | undefined
  /** The trace of the request, in each of its log lines. */
  traceId: string | undefined
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
  const log = requestLog(app)
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
        requestId: toRequestId(headers.get('x-request-id'), app.ids),
        address: addressOf(c.req.raw, c.env),
        startedAt: stopwatchMs(),
        allowance: undefined,
        caller: undefined,
        traceparent: readTraceparent(headers),
        traceId: undefined,
      }
      const { method } = c.req
      const result = await traceRequest({ method, route, headers }, () =>
        runHandler(app, context, () => answer(c, context)),
      )
      const { status } = result
      log(context, { method, route, status })
      const capture = currentCapture()
      if (capture !== undefined) capture.answer = result.kind === 'text' ? result.text : ''
      return new Response(bodyOf(result), { status, headers: responseHeaders(context, result.headers) })
    },
  }
}

async function runHandler(
  app: App,
  context: RequestContext,
  answer: () => Promise<HandlerResult>,
): Promise<HandlerResult> {
  context.traceId = activeTraceId() ?? traceIdOf(context.traceparent)
  try {
    return await answer()
  } catch (thrown) {
    return toErrorResponse(thrown, app.log, context)
  }
}

function bodyOf(result: HandlerResult) {
  if (result.kind === 'text') return result.text
  if (result.kind === 'bytes') return result.bytes
  return result.kind === 'stream' ? result.stream : null
}

/** One plain object: setting headers one by one on a Response would take a third of a short request's time. */
function responseHeaders(context: RequestContext, extra: HandlerResult['headers']): Record<string, string> {
  return {
    ...jsonHeaders,
    'cache-control': 'no-store',
    'x-request-id': context.requestId,
    ...(context.allowance === undefined ? {} : rateLimitHeaders(context.allowance)),
    ...extra,
  }
}

interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
}

const slowMs = 1000

export const metricsPath = '/metrics'

/**
 * Counts the request, and logs a line about it. Of successful requests, a sample can be logged. Successful scrapes are not
 * logged, like health checks: they arrive every few seconds, and the log would contain little else.
 */
function requestLog({ metrics, log, config }: App): (context: RequestContext, answered: Answered) => void {
  const { logSample } = config
  let succeeded = 0
  return ({ startedAt, requestId, caller, traceId }, { method, route, status }) => {
    const durationMs = stopwatchMs() - startedAt
    metrics.request({ method, route, status, durationMs })
    const isUsual = status < 400 && durationMs < slowMs
    if (isUsual && route === metricsPath) return
    if (isUsual) succeeded += 1
    if (isUsual && succeeded % logSample !== 0) return
    log.info(`${method} ${route} answered ${status}.`, {
      request_id: requestId,
      method,
      route,
      status,
      ms: Math.round(durationMs * 10) / 10,
      workspace_id: caller?.workspaceId,
      token_id: caller?.tokenId,
      trace_id: traceId,
    })
  }
}

const safeRequestId = /^[\w.:-]{1,128}$/

/** The caller's `X-Request-Id` if it is safe to log and echo, else a new one. */
function toRequestId(header: string | null, ids: Ids): string {
  return header !== null && safeRequestId.test(header) ? header : ids.uuid()
}
