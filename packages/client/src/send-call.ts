import { type Call, type CallMeta, type Completed, toCall } from './call.ts'
import { omitUndefined } from './omit-undefined.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { ParsedResponse } from './run-attempt.ts'

// Headers of a gateway may contain a session or credentials.
const secretHeaderNames = /cookie|auth|token|secret|session|credential|password|api-?key|signature|jwt/

const shownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !secretHeaderNames.test(name)))

/**
 * Starts a call. If `send` throws immediately, the call fails too. The caller names the type of the data: the schema
 * has checked its shape, unless the application chose not to throw if it differs.
 */
export const start = <Data>(
  call: PreparedCall,
  send: () => Promise<ParsedResponse>,
  pick?: (body: unknown) => unknown,
): Call<Data> => toCall(complete(call, send, pick))

/** Sends a call. The caller names the type of the data, as in `start`. */
export async function complete<Data>(
  call: PreparedCall,
  send: () => Promise<ParsedResponse>,
  pick = (body: unknown) => body,
): Promise<Completed<Data>> {
  const { body, attempt, headers } = await send()
  const durationMs = Math.round(call.settings.clock() - call.startedAt)
  const { attempts, requestId, status = 0 } = attempt
  const { idempotencyKey } = call
  const meta = (): CallMeta => ({
    status,
    attempts,
    durationMs,
    headers: shownHeaders(headers),
    ...omitUndefined({ requestId, idempotencyKey }),
  })
  return { data: pick(body) as Data, meta }
}
