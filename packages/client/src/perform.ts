import type { AnyServiceError } from './errors/family.ts'
import { isServiceError } from './errors/service-error.ts'
import { tell } from './events.ts'
import { type Answered, exchange } from './exchange.ts'
import { aborted, timedOut } from './failure.ts'
import type { PreparedCall } from './prepare-call.ts'
import { retryDelayMs } from './retry-policy.ts'
import { withTimeLimit } from './time-limit.ts'
import { firstTrip, nextTrip, type Trip } from './trip.ts'

/** Sends a call until it succeeds, may not be sent again, or runs out of retries or time. */
export async function perform(call: PreparedCall): Promise<Answered> {
  let trip = firstTrip(call)
  for (;;) {
    const outcome = await attempt(trip).catch(ownError)
    if (!isServiceError(outcome)) return outcome
    const next = withNewToken(trip, outcome) ?? (await afterPause(trip, outcome).catch(ownError))
    if (isServiceError(next)) throw report(trip, next)
    trip = next
  }
}

// All that is awaited here rejects with errors of this package; should another slip through, it is a bug and flies.
function ownError(error: unknown): AnyServiceError {
  if (isServiceError(error)) return error
  throw error
}

function attempt(trip: Trip): Promise<Answered> {
  const { call } = trip
  const remainingMs = remaining(call)
  const scope = remainingMs < call.timeoutMs ? 'deadline' : 'attempt'
  return withTimeLimit({
    ms: Math.min(remainingMs, call.timeoutMs),
    signal: call.signal,
    work: (signal) => exchange(trip, signal),
    onTimeout: () => trip.refusal ?? timedOut(trip, scope),
    onAbort: () => aborted(trip),
  })
}

const remaining = ({ settings, startedAt, deadlineMs }: PreparedCall) =>
  Math.max(0, startedAt + deadlineMs - settings.clock())

/** After a 401 the token function may know a newer token: once more at once, unless the call may be sent only once. */
function withNewToken(trip: Trip, error: AnyServiceError): Trip | undefined {
  const { call, token, retries, refused } = trip
  if (error.status !== 401 || token === undefined || !call.settings.tokens.refuse(token)) return undefined
  if (refused || call.maxRetries === 0) return undefined
  return nextTrip(trip, { retries, refused: { token, error } })
}

/** Waits as long as it takes until the next attempt, which it gives; or the error, when there must be none. */
async function afterPause(trip: Trip, error: AnyServiceError): Promise<Trip | AnyServiceError> {
  const { call, retries, refused } = trip
  const { settings, signal, contract } = call
  const remainingMs = remaining(call)
  const { random, maxRetryAfterMs } = settings
  const delayMs = retryDelayMs({ retry: retries, random, retryAfterMs: error.retryAfterMs, maxRetryAfterMs, remainingMs })
  if (!error.retryable || retries >= call.maxRetries || delayMs === undefined) return error
  const { code, status } = error
  const about = { operation: contract.operation, method: call.method, route: call.route, attempt: trip.attempts }
  tell(settings.onEvent, { ...about, type: 'retry', delayMs, code, ...(status && { status }) })
  const next = nextTrip(trip, { retries: retries + 1, refused })
  await withTimeLimit({
    ms: remainingMs,
    signal,
    work: (given) => settings.sleep(delayMs, given),
    onTimeout: () => timedOut(next, 'deadline'),
    onAbort: () => aborted(next),
  })
  return next
}

function report(trip: Trip, error: AnyServiceError): AnyServiceError {
  const { operation, method, path: route } = trip.call.contract
  tell(trip.call.settings.onEvent, { type: 'error', operation, method, route, attempt: trip.attempts, error })
  return error
}
