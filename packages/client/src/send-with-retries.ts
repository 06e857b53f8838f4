import { type AttemptState, firstAttempt, nextAttempt } from './attempt.ts'
import { assertServiceError } from './call.ts'
import { abortedError, timeoutError, withCause } from './create-error.ts'
import { emit } from './emit-event.ts'
import { type AnyServiceError, isServiceError } from './errors/family.ts'
import type { PreparedCall } from './prepared-call.ts'
import { retryDelayMs } from './retry-policy.ts'
import { type ParsedResponse, runAttempt } from './run-attempt.ts'
import { withTimeLimit } from './time-limit.ts'

/** Sends a call until it succeeds, must not be sent again, or runs out of retries or time. */
export async function sendWithRetries(call: PreparedCall): Promise<ParsedResponse> {
  let attempt = firstAttempt(call)
  for (;;) {
    const outcome = await sendAttempt(attempt).catch(assertServiceError)
    if (!isServiceError(outcome)) return outcome
    const next = withNewToken(attempt, outcome) ?? (await waitForRetry(attempt, outcome).catch(assertServiceError))
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

function runTimedAttempt(attempt: AttemptState): Promise<ParsedResponse> {
  const { call } = attempt
  const remainingMs = remaining(call)
  const scope = remainingMs < call.timeoutMs ? 'deadline' : 'attempt'
  return withTimeLimit({
    ms: Math.min(remainingMs, call.timeoutMs),
    signal: call.signal,
    work: (signal) => runAttempt(attempt, signal),
    onTimeout: () => attempt.errorOnTimeout ?? timeoutError(attempt, scope),
    onAbort: () => abortedError(attempt),
  })
}

/** Waits for the rate limit before the attempt, if the client paces its calls. */
async function sendAttempt(attempt: AttemptState): Promise<ParsedResponse> {
  const { loadPacer } = attempt.call.settings
  if (!loadPacer) return runTimedAttempt(attempt)
  const pacer = await loadPacer()
  attempt.pacer = pacer
  let turn: Promise<boolean> | undefined
  const takeTurn = async (signal: AbortSignal) => {
    turn = pacer.wait(attempt.call.settings, signal)
    await turn
  }
  await inTime(attempt, takeTurn).catch(async (error) => {
    // The call may end at the moment its turn begins.
    turn?.then((isCounted) => isCounted && pacer.release()).catch(() => undefined)
    throw error
  })
  return runTimedAttempt(attempt).finally(pacer.release)
}

const remaining = ({ settings, startedAt, deadlineMs }: PreparedCall) =>
  Math.max(0, startedAt + deadlineMs - settings.clock())

/** After a 401, repeats the call once with a new token of the token function, unless it may be sent only once. */
function withNewToken(attempt: AttemptState, error: AnyServiceError): AttemptState | undefined {
  const { call, token, retries, refusedToken } = attempt
  if (error.status !== 401 || token === undefined || !call.settings.tokens.refuse(token)) return undefined
  if (refusedToken || call.maxRetries === 0) return undefined
  return nextAttempt(attempt, { retries, refusedToken: { token, error } })
}

/** Waits for the next attempt and returns it, or returns the error if there must be no other attempt. */
async function waitForRetry(attempt: AttemptState, error: AnyServiceError): Promise<AttemptState | AnyServiceError> {
  const { call, retries, refusedToken } = attempt
  const { settings } = call
  const remainingMs = remaining(call)
  const delayMs = retryDelayMs({ ...settings, retry: retries, retryAfterMs: error.retryAfterMs, remainingMs })
  if (retries >= call.maxRetries || delayMs === undefined || !mayRetry(attempt, error)) return error
  emit(attempt, { type: 'retry', delayMs, code: error.code, status: error.status })
  const next = nextAttempt(attempt, { retries: retries + 1, refusedToken })
  await inTime(next, (signal) => settings.sleep(delayMs, signal))
  return next
}

/** The client's decision, which the application may change. It may allow only a retry that cannot act twice. */
function mayRetry({ call, attempts, delivered }: AttemptState, error: AnyServiceError): boolean {
  const isSafe = call.repeatable || delivered === 'no' || error.retryable
  let decision: boolean | undefined
  try {
    decision = call.shouldRetry?.(error, { attempt: attempts, isSafe })
    if (Object(decision) === decision) throw new TypeError('shouldRetry must return a boolean.')
  } catch (thrown) {
    withCause(error, thrown)
    return false
  }
  if (decision && !isSafe) {
    error.message += ' Another attempt, as shouldRetry asked, needs an idempotencyKey.'
  }
  return isSafe && (decision ?? error.retryable)
}

/** Applies the deadline and the signal of the call to a wait before an attempt. */
const inTime = (attempt: AttemptState, work: (signal: AbortSignal) => Promise<void>): Promise<void> =>
  withTimeLimit({
    ms: remaining(attempt.call),
    signal: attempt.call.signal,
    work,
    onTimeout: () => timeoutError(attempt, 'deadline'),
    onAbort: () => abortedError(attempt),
  })
