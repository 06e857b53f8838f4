import type { Context } from 'hono'
import { ApiError, type ApiErrorCode } from '../core/errors.ts'
import { describeFault, type Log } from '../core/log.ts'
import type { TextResult } from './handler-result.ts'

/** The HTTP status of each error code (§7, and 405, 413, 415, 503). */
export const statusOf: Readonly<Record<ApiErrorCode, number>> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation: 422,
  rate_limited: 429,
  unavailable: 503,
}

/** The response to any thrown value. Server faults are logged here, once, and callers see only a generic message. */
export function toErrorResponse(
  thrown: unknown,
  log: Log,
  { requestId, traceId }: { readonly requestId: string; readonly traceId?: string | undefined },
): TextResult {
  if (thrown instanceof ApiError) {
    const { message, errors, headers } = thrown
    return toJson(statusOf[thrown.code], errors === undefined ? { message } : { message, errors }, headers)
  }
  log.error(`Request ${requestId} failed.`, { request_id: requestId, trace_id: traceId, ...describeFault(thrown) })
  return toJson(500, { message: 'Server Error' })
}

export const toJson = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): TextResult => ({
  kind: 'text',
  status,
  text: JSON.stringify(value),
  headers,
})

/** Headers of every JSON response. Without `nosniff` a browser might run user-supplied text as a page or a script. */
export const jsonHeaders = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' } as const

/** For handlers outside the request pipeline. By default, Hono prints the stack on stderr. */
export const answerFailure = (log: Log) => (thrown: unknown, c: Context) => {
  const { status, text, headers } = toErrorResponse(thrown, log, { requestId: c.req.path })
  return new Response(text, { status, headers: { ...jsonHeaders, ...headers } })
}
