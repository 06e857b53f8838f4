import { ApiError, type ErrorCode } from '../core/errors.ts'
import { describeFault, type Log } from '../core/log.ts'

/** The HTTP status of each error code (§7, and 405, 413, 415, 503). */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
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
  requestId: string,
): { status: number; json: string; headers: Readonly<Record<string, string>> } {
  if (thrown instanceof ApiError) {
    const { message, errors, headers } = thrown
    return {
      status: statusOf[thrown.code],
      json: JSON.stringify(errors === undefined ? { message } : { message, errors }),
      headers,
    }
  }
  log.error(`Request ${requestId} failed.`, { request_id: requestId, ...describeFault(thrown) })
  return { status: 500, json: JSON.stringify({ message: 'Server Error' }), headers: {} }
}

/** Headers of every JSON response. Without `nosniff` a browser might run user-supplied text as a page or a script. */
export const jsonHeaders = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' } as const
