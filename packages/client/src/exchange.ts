import { AuthenticationError, ResponseError } from './errors/family.ts'
import { tell } from './events.ts'
import { failure } from './failure.ts'
import { networkFailure } from './network-error.ts'
import { cutOff, readAnswer, readRefusalAnswer } from './read-answer.ts'
import { readRetryAfter } from './retry-after.ts'
import { send } from './send-request.ts'
import { redirectFailure, statusFailure } from './status-error.ts'
import type { Trip } from './trip.ts'

/** An answer that was understood. */
export interface Answered {
  readonly answer: unknown
  readonly trip: Trip
  readonly headers: Headers
}

/** One attempt: token, request, answer. Rejects with this package's errors, or with anything once it is given up. */
export async function exchange(trip: Trip, signal: AbortSignal): Promise<Answered> {
  const token = await getToken(trip)
  // The time may have run out while the token was fetched; nothing must be sent then.
  signal.throwIfAborted()
  const response = await request(trip, token, signal)
  if (isRedirect(response)) {
    response.body?.cancel().catch(() => undefined)
    throw redirectFailure(trip, response)
  }
  const answer = response.ok ? await readSuccess(trip, response) : await readRefusal(trip, response)
  return { answer, trip, headers: response.headers }
}

async function getToken(trip: Trip): Promise<string> {
  const { call, refused } = trip
  try {
    trip.token = await call.settings.tokens.get()
  } catch {
    // What the function threw is not repeated: it may hold credentials.
    const complaint = 'was not sent: the token function failed, or gave something that is no token.'
    throw failure(AuthenticationError, { trip, complaint, fields: {} })
  }
  if (refused?.token === trip.token) throw refused.error
  return trip.token
}

async function request(trip: Trip, token: string, signal: AbortSignal): Promise<Response> {
  const { settings, method, url, headers, body } = trip.call
  trip.attempts += 1
  if (trip.delivered === 'no') trip.delivered = 'maybe'
  tell(trip, { type: 'request' })
  const sentAt = settings.clock()
  const outgoing = {
    url,
    method,
    headers: token ? { ...headers, authorization: `Bearer ${token}` } : headers,
    body,
    signal,
  }
  const response = await send(settings.fetch, outgoing).catch((thrown: unknown) => {
    throw networkFailure(trip, thrown)
  })
  if (!isResponse(response)) {
    throw failure(ResponseError, { trip, complaint: 'got no Response from the fetch option.', fields: {} })
  }
  // An answer that comes after the attempt was given up must not be told as one of it.
  signal.throwIfAborted()
  noteArrival(trip, response)
  tell(trip, {
    type: 'response',
    status: response.status,
    durationMs: Math.round(settings.clock() - sentAt),
    requestId: trip.requestId,
  })
  return response
}

function noteArrival(trip: Trip, { status, headers }: Response): void {
  trip.delivered = 'yes'
  trip.status = status
  const requestId = headers.get('x-request-id')
  if (requestId && isPlainId(trip, requestId)) trip.requestId = requestId
  const retryAfterMs = status < 400 ? undefined : readRetryAfter(headers, trip.call.settings.clock())
  if (retryAfterMs !== undefined) trip.retryAfterMs = retryAfterMs
}

// The id goes into every error, so it must be one, and nothing that was echoed but an id of the caller's own.
function isPlainId({ call, token = '' }: Trip, id: string): boolean {
  const sent = Object.entries(call.headers).filter(([name]) => name.toLowerCase() !== 'x-request-id')
  const isEcho = [call.body, ...sent.map(([, value]) => value)].some((text) => text?.includes(id))
  return /^[\w.:/+=-]{1,128}$/.test(id) && !(token && id.includes(token)) && !isEcho
}

// A careless fake may give anything, and what it gives must not fail as a foreign error further on.
const isResponse = (response: Response | undefined) =>
  typeof response?.text === 'function' && typeof response.headers?.get === 'function'

const isRedirect = ({ type, redirected, status }: Response) =>
  type === 'opaqueredirect' || redirected || [301, 302, 303, 307, 308].includes(status)

async function readSuccess(trip: Trip, response: Response): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch {
    throw cutOff(trip)
  }
  return readAnswer(trip, response, text)
}

// A refusal whose body stalls or breaks is still that refusal.
async function readRefusal(trip: Trip, response: Response): Promise<unknown> {
  const refusal = statusFailure(trip, response)
  trip.refusal = refusal
  const text = await response.text().catch(() => '')
  const answer = readRefusalAnswer(trip, response.status, text)
  if (answer === undefined) throw text ? statusFailure(trip, response, text) : refusal
  return answer
}
