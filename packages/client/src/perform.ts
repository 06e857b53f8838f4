import type { AnyServiceError } from './errors/family.ts'
import { isServiceError } from './errors/service-error.ts'
import { tell } from './events.ts'
import { type Answered, exchange } from './exchange.ts'
import { aborted, timedOut } from './failure.ts'
import { ownError } from './own-error.ts'
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
    if (isServiceError(next)) {
      tell(trip, { type: 'error', error: next })
      throw next
    }
    trip = next
  }
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
  const { settings, signal } = call
  const remainingMs = remaining(call)
  const { random, maxRetryAfterMs } = settings
  const delayMs = retryDelayMs({
    retry: retries,
    random,
    retryAfterMs: error.retryAfterMs,
    maxRetryAfterMs,
    remainingMs,
  })
  if (!error.retryable || retries >= call.maxRetries || delayMs === undefined) return error
  tell(trip, { type: 'retry', delayMs, code: error.code, status: error.status })
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
