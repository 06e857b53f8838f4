import { type AttemptState, firstAttempt, nextAttempt } from './attempt.ts'
import { assertServiceError } from './call.ts'
import { emit } from './emit-event.ts'
import { type AnyServiceError, isServiceError } from './errors/family.ts'
import { type Answered, exchange } from './exchange.ts'
import { aborted, timedOut } from './failure.ts'
import type { PreparedCall } from './prepared-call.ts'
import { retryDelayMs } from './retry-policy.ts'
import { withTimeLimit } from './time-limit.ts'

/** Sends a call until it succeeds, must not be sent again, or runs out of retries or time. */
export async function perform(call: PreparedCall): Promise<Answered> {
  let attempt = firstAttempt(call)
  for (;;) {
    const outcome = await sendAttempt(attempt).catch(assertServiceError)
    if (!isServiceError(outcome)) return outcome
    const next = withNewToken(attempt, outcome) ?? (await afterPause(attempt, outcome).catch(assertServiceError))
    if (isServiceError(next)) {
      const error = await errorToThrow(attempt, next)
      emit(attempt, { type: 'error', error })
      throw error
    }
    attempt = next
  }
}

async function errorToThrow(attempt: AttemptState, error: AnyServiceError): Promise<AnyServiceError> {
  const hooks = attempt.call.settings.hooks?.beforeError
  return hooks ? (await import('./run-hooks.ts')).runBeforeError(attempt, hooks, error) : error
}

function sendAttempt(attempt: AttemptState): Promise<Answered> {
  const { call } = attempt
  const remainingMs = remaining(call)
  const scope = remainingMs < call.timeoutMs ? 'deadline' : 'attempt'
  return withTimeLimit({
    ms: Math.min(remainingMs, call.timeoutMs),
    signal: call.signal,
    work: (signal) => exchange(attempt, signal),
    onTimeout: () => attempt.refusal ?? timedOut(attempt, scope),
    onAbort: () => aborted(attempt),
  })
}

const remaining = ({ settings, startedAt, deadlineMs }: PreparedCall) =>
  Math.max(0, startedAt + deadlineMs - settings.clock())

/** After a 401, repeats the call once with a new token of the token function, unless it may be sent only once. */
function withNewToken(attempt: AttemptState, error: AnyServiceError): AttemptState | undefined {
  const { call, token, retries, refused } = attempt
  if (error.status !== 401 || token === undefined || !call.settings.tokens.refuse(token)) return undefined
  if (refused || call.maxRetries === 0) return undefined
  return nextAttempt(attempt, { retries, refused: { token, error } })
}

/** Waits for the next attempt and returns it, or returns the error if there must be no other attempt. */
async function afterPause(attempt: AttemptState, error: AnyServiceError): Promise<AttemptState | AnyServiceError> {
  const { call, retries, refused } = attempt
  const { settings, signal } = call
  const remainingMs = remaining(call)
  const delayMs = retryDelayMs({ ...settings, retry: retries, retryAfterMs: error.retryAfterMs, remainingMs })
  if (!error.retryable || retries >= call.maxRetries || delayMs === undefined) return error
  emit(attempt, { type: 'retry', delayMs, code: error.code, status: error.status })
  const next = nextAttempt(attempt, { retries: retries + 1, refused })
  await withTimeLimit({
    ms: remainingMs,
    signal,
    work: (given) => settings.sleep(delayMs, given),
    onTimeout: () => timedOut(next, 'deadline'),
    onAbort: () => aborted(next),
  })
  return next
}
