import { type AttemptState, recordStatus } from './attempt.ts'
import { createError, withCause } from './create-error.ts'
import { emit } from './emit-event.ts'
import { AuthenticationError, isServiceError, ResponseError } from './errors/family.ts'
import { networkError } from './network-error.ts'
import { readDocumentedErrorBody, readSuccessBody } from './read-body.ts'
import { readText, unreadableBodyError } from './read-text.ts'
import { readWait } from './retry-after.ts'
import { type Outgoing, sendFor } from './send-request.ts'
import { redirectError, statusError } from './status-error.ts'
import { TokenError } from './token-source.ts'
import { traceHeaders } from './trace.ts'

/** A parsed response. */
export interface ParsedResponse {
  readonly body: unknown
  readonly attempt: AttemptState
  readonly headers: Headers
}

/** One attempt: token, request, response. Rejects with this package's errors, or any error once it is abandoned. */
export async function runAttempt(attempt: AttemptState, signal: AbortSignal): Promise<ParsedResponse> {
  const token = await getToken(attempt)
  const trace = await traceHeaders(attempt.call.headers)
  // If the time ran out in the meantime, nothing may be sent.
  signal.throwIfAborted()
  const response = await request(
    attempt,
    { ...trace, ...(token && { authorization: `Bearer ${token}` }), ...attempt.call.headers },
    signal,
  )
  if (isRedirect(response)) {
    response.body?.cancel().catch(() => undefined)
    throw redirectError(attempt, response)
  }
  const body = response.ok ? await readSuccess(attempt, response) : await readError(attempt, response)
  return { body, attempt, headers: response.headers }
}

async function getToken(attempt: AttemptState): Promise<string> {
  const { call, refusedToken } = attempt
  try {
    attempt.token = await call.settings.tokens.get()
  } catch (thrown) {
    // The message of the function's own error is not repeated, because it may contain credentials.
    const reason = thrown instanceof TokenError ? thrown.message : 'the token function threw an error.'
    const error = createError(AuthenticationError, { attempt, message: `was not sent: ${reason}`, fields: {} })
    throw thrown instanceof TokenError ? error : withCause(error, thrown)
  }
  if (refusedToken?.token === attempt.token) throw refusedToken.error
  return attempt.token
}

async function request(attempt: AttemptState, headers: Outgoing['headers'], signal: AbortSignal): Promise<Response> {
  const { settings, method, url, body, fetchOptions } = attempt.call
  attempt.attempts += 1
  if (attempt.delivered === 'no') attempt.delivered = 'maybe'
  emit(attempt, { type: 'request' })
  const sentAt = settings.clock()
  const response = await sendOutgoing(attempt, { url, method, headers, body, signal, fetchOptions }).catch(
    (thrown: unknown) => {
      throw isServiceError(thrown) ? thrown : networkError(attempt, thrown)
    },
  )
  if (!isResponse(response)) {
    throw createError(ResponseError, { attempt, message: 'got no Response from the fetch option.', fields: {} })
  }
  // A response that arrives after the attempt was abandoned must not be reported.
  signal.throwIfAborted()
  recordResponse(attempt, response)
  emit(attempt, {
    type: 'response',
    status: response.status,
    durationMs: Math.round(settings.clock() - sentAt),
    requestId: attempt.requestId,
  })
  return response
}

async function sendOutgoing(attempt: AttemptState, outgoing: Outgoing): Promise<Response> {
  const { hooks } = attempt.call.settings
  return hooks ? (await import('./run-hooks.ts')).sendWithHooks(attempt, hooks, outgoing) : sendFor(attempt, outgoing)
}

function recordResponse(attempt: AttemptState, { status, headers }: Response): void {
  recordStatus(attempt, status)
  attempt.pacer?.record(headers, attempt.call.settings.clock())
  const requestId = headers.get('x-request-id')
  if (requestId && isPlainId(attempt, requestId)) attempt.requestId = requestId
  if (status >= 400) attempt.retryAfterMs = readWait(headers, attempt.call.settings.clock())
}

// The id is part of every error. So it must look like an id, and may echo only the caller's request id.
function isPlainId({ call, token = '' }: AttemptState, id: string): boolean {
  const sent = Object.entries(call.headers).filter(([name]) => name.toLowerCase() !== 'x-request-id')
  const isEcho = [call.body, ...sent.map(([, value]) => value)].some((text) => text?.includes(id))
  return /^[\w.:/+=-]{1,128}$/.test(id) && !(token && id.includes(token)) && !isEcho
}

// A fake `fetch` may return anything. Its result must not cause an unrelated error later.
const isResponse = (response: Response | undefined) =>
  typeof response?.text === 'function' && typeof response.headers?.get === 'function'

const isRedirect = ({ type, redirected, status }: Response) =>
  type === 'opaqueredirect' || redirected || /30[12378]/.test(String(status))

async function readSuccess(attempt: AttemptState, response: Response): Promise<unknown> {
  const text = await readText(response, attempt.call.settings.maxResponseBytes).catch((thrown: unknown) => {
    throw unreadableBodyError(attempt, response, thrown)
  })
  return readSuccessBody(attempt, response, text)
}

// An error status is reported even if its body stalls or breaks off.
async function readError(attempt: AttemptState, response: Response): Promise<unknown> {
  const error = statusError(attempt, response)
  attempt.errorOnTimeout = error
  const text = await readText(response, attempt.call.settings.maxResponseBytes).catch(() => '')
  const body = readDocumentedErrorBody(attempt, response.status, text)
  if (body === undefined) throw text ? statusError(attempt, response, text) : error
  return body
}
