import type { App } from '../../context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Counted, type RateWindows, rateWindows, tooManyAttempts } from '../../core/rate-windows.ts'
import type { Store } from '../../store/store.ts'
import { countRequest } from '../tokens/service.ts'

// Failed credentials: wrong passwords and unknown tokens. Nodes on a shared database count together.

/** What a failure counts under, and how many failures within 60 s are checked. */
export interface FailureLimit {
  readonly key: string
  readonly max: number
}

export type CountingApp = Pick<App, 'store' | 'clock' | 'db' | 'dueSignal'>

interface Failures {
  readonly windows: RateWindows
  /** Attempts in flight, whose result is not known yet. */
  readonly inFlight: Map<string, number>
}

const failuresOfStores = new WeakMap<Store, Failures>()

function failuresOf({ store, clock }: Pick<App, 'store' | 'clock'>): Failures {
  const known = failuresOfStores.get(store)
  if (known !== undefined) return known
  const fresh = { windows: rateWindows(clock.elapsedMs), inFlight: new Map<string, number>() }
  failuresOfStores.set(store, fresh)
  return fresh
}

function countFailures(app: Pick<App, 'store' | 'clock'>, key: string): Counted {
  const { windows, inFlight } = failuresOf(app)
  const failed = windows.peek(key) ?? { hits: 0, endsInMs: 1000 }
  return { ...failed, hits: failed.hits + (inFlight.get(key) ?? 0) }
}

/** Whether a check under this key has failed within 60 s, or is in flight. */
export const hasFailed = (app: Pick<App, 'store' | 'clock'>, key: string): boolean => countFailures(app, key).hits > 0

/**
 * Counts one failure under every key. Each node learns of the others' failures with its own next one, so an attacker
 * gains one attempt per node.
 */
async function countFailure(app: CountingApp, limits: readonly FailureLimit[]): Promise<void> {
  const { windows } = failuresOf(app)
  for (const { key } of limits) windows.hit(key)
  if (app.store.dialect !== 'postgres') return
  for (const { key } of limits) windows.raise(key, await countRequest(app, `failed:${key}`))
}

/** Runs a check of a password or token, and counts a failure under every key. Over a limit, nothing is checked. */
export async function withFailureCount<Result>(
  app: CountingApp,
  limits: readonly FailureLimit[],
  check: () => Promise<Result>,
): Promise<Result> {
  for (const { key, max } of limits) {
    const counted = countFailures(app, key)
    if (counted.hits >= max) throw tooManyAttempts(counted, app.clock.now())
  }
  for (const { key } of limits) countInFlight(app, key, 1)
  let isGuess = false
  try {
    return await check()
  } catch (thrown) {
    isGuess = thrown instanceof ApiError && thrown.isFailedCredential
    throw thrown
  } finally {
    // In the same turn as the failure is counted: the attempt must not be missing while the nodes count together.
    for (const { key } of limits) countInFlight(app, key, -1)
    if (isGuess) await countFailure(app, limits)
  }
}

function countInFlight(app: Pick<App, 'store' | 'clock'>, key: string, change: 1 | -1): void {
  const { inFlight } = failuresOf(app)
  const count = (inFlight.get(key) ?? 0) + change
  if (count === 0) inFlight.delete(key)
  else inFlight.set(key, count)
}
