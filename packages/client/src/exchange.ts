import type { AttemptState } from './attempt.ts'
import { emit } from './emit-event.ts'
import { AuthenticationError, isServiceError, ResponseError } from './errors/family.ts'
import { failure } from './failure.ts'
import { networkFailure } from './network-error.ts'
import { readAnswer, readRefusalAnswer } from './read-answer.ts'
import { readText, unreadable } from './read-text.ts'
import { readWait } from './retry-after.ts'
import { type Outgoing, send } from './send-request.ts'
import { redirectFailure, statusFailure } from './status-error.ts'

/** A parsed response. */
export interface Answered {
  readonly answer: unknown
  readonly trip: AttemptState
  readonly headers: Headers
}

/** One attempt: token, request, response. Rejects with this package's errors, or any error once it is abandoned. */
export async function exchange(attempt: AttemptState, signal: AbortSignal): Promise<Answered> {
  const token = await getToken(attempt)
  // If the time ran out while the token was fetched, nothing may be sent.
  signal.throwIfAborted()
  const response = await request(attempt, token, signal)
  if (isRedirect(response)) {
    response.body?.cancel().catch(() => undefined)
    throw redirectFailure(attempt, response)
  }
  const answer = response.ok ? await readSuccess(attempt, response) : await readRefusal(attempt, response)
  return { answer, trip: attempt, headers: response.headers }
}

async function getToken(attempt: AttemptState): Promise<string> {
  const { call, refused } = attempt
  try {
    attempt.token = await call.settings.tokens.get()
  } catch {
    // The error of the function is not repeated, because it may contain credentials.
    const complaint = 'was not sent: the token function failed, or gave something that is no token.'
    throw failure(AuthenticationError, { trip: attempt, complaint, fields: {} })
  }
  if (refused?.token === attempt.token) throw refused.error
  return attempt.token
}

async function request(attempt: AttemptState, token: string, signal: AbortSignal): Promise<Response> {
  const { settings, method, url, headers, body } = attempt.call
  attempt.attempts += 1
  if (attempt.delivered === 'no') attempt.delivered = 'maybe'
  emit(attempt, { type: 'request' })
  const sentAt = settings.clock()
  const outgoing = {
    url,
    method,
    headers: token ? { ...headers, authorization: `Bearer ${token}` } : headers,
    body,
    signal,
  }
  const response = await sendOutgoing(attempt, outgoing).catch((thrown: unknown) => {
    throw isServiceError(thrown) ? thrown : networkFailure(attempt, thrown)
  })
  if (!isResponse(response)) {
    throw failure(ResponseError, { trip: attempt, complaint: 'got no Response from the fetch option.', fields: {} })
  }
  // A response that arrives after the attempt was abandoned must not be reported.
  signal.throwIfAborted()
  noteArrival(attempt, response)
  emit(attempt, {
    type: 'response',
    status: response.status,
    durationMs: Math.round(settings.clock() - sentAt),
    requestId: attempt.requestId,
  })
  return response
}

async function sendOutgoing(attempt: AttemptState, outgoing: Outgoing): Promise<Response> {
  const { hooks, fetch } = attempt.call.settings
  return hooks ? (await import('./run-hooks.ts')).sendWithHooks(attempt, hooks, outgoing) : send(fetch, outgoing)
}

function noteArrival(attempt: AttemptState, { status, headers }: Response): void {
  attempt.delivered = 'yes'
  attempt.status = status
  const requestId = headers.get('x-request-id')
  if (requestId && isPlainId(attempt, requestId)) attempt.requestId = requestId
  if (status >= 400) attempt.retryAfterMs = readWait(headers, attempt.call.settings.clock())
}

// The id is part of every error. So it must look like an id, and may echo nothing but the caller's own request id.
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
    throw unreadable(attempt, response, thrown)
  })
  return readAnswer(attempt, response, text)
}

// A refusal whose body stalls or breaks off is still reported as that refusal.
async function readRefusal(attempt: AttemptState, response: Response): Promise<unknown> {
  const refusal = statusFailure(attempt, response)
  attempt.refusal = refusal
  const text = await readText(response, attempt.call.settings.maxResponseBytes).catch(() => '')
  const answer = readRefusalAnswer(attempt, response.status, text)
  if (answer === undefined) throw text ? statusFailure(attempt, response, text) : refusal
  return answer
}
