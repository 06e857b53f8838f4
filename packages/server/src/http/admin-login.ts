import type { App } from '../context.ts'
import { addressKey } from '../core/addresses.ts'
import { ApiError, unauthorized } from '../core/errors.ts'
import { hashSecret, isSecret } from '../core/ids.ts'
import { followSecret } from '../encryption/secret-file.ts'
import { countTogether } from '../modules/tokens/service.ts'
import { isSessionToken } from '../modules/users/session-service.ts'
import type { Store } from '../store/store.ts'
import { bearerToken } from './bearer.ts'
import { type Counted, type RateWindows, rateWindows, tooManyAttempts } from './rate-limit.ts'

/** In the `User-Agent` of the command line. */
export const commandLineProduct = 'service-server-cli'

const inProcess = new WeakSet<Request>()

/** For requests that code of this process makes by itself: nothing that comes over a port can be this object. */
export function trustInProcess(request: Request): void {
  inProcess.add(request)
}

export const isInProcess = (request: Request): boolean => inProcess.has(request)

export function instanceTokenCheck({ config }: Pick<App, 'config'>): (token: string) => boolean {
  const readHash = tokenHash(config)
  return (token) => {
    const hash = readHash()
    return hash !== undefined && isSecret(token, hash)
  }
}

export type RequireAdmin = (request: Request, address: string) => Promise<void>

/** The hash of the token that opens; of one in a file, of what is there now, so that it can be rotated. */
function tokenHash({ adminToken, adminTokenFile: path }: App['config']): () => string | undefined {
  if (path === undefined) {
    const hash = adminToken === undefined ? undefined : hashSecret(adminToken)
    return () => hash
  }
  const read = followSecret({ path, name: 'admin token', shortest: 20, mounted: true })
  return () => hashSecret(read())
}

export function adminLogin(app: Pick<App, 'store' | 'clock' | 'config' | 'db' | 'dueSignal'>): RequireAdmin {
  const isInstanceToken = instanceTokenCheck(app)
  return async (request, address) => {
    if (isInProcess(request)) return
    const token = bearerToken(request)
    if (token === undefined || !isInstanceToken(token)) await refuseToken(app, { token, address })
  }
}

/**
 * Refuses a token after it was looked up, so that guesses from the same address never affect a valid one. A request without
 * a token is not a guess. Neither is an expired session, whose 256 random bits cannot be guessed.
 */
export async function refuseToken(
  app: Pick<App, 'store' | 'clock' | 'db' | 'dueSignal'>,
  { token, address }: { readonly token: string | undefined; readonly address: string },
): Promise<never> {
  if (token !== undefined && !isSessionToken(token)) {
    const key = `token:${addressKey(address)}`
    requireNotThrottled(app, key)
    await countFailure(app, key)
  }
  throw unauthorized('Unauthenticated.', token)
}

/** After these in one window of 60 s an address, or an account, is not listened to: guessing must not get quicker. */
const mostFailures = 10

interface Failures {
  readonly windows: RateWindows
  /** How many tries are under way: what they will be is not known yet. */
  readonly underWay: Map<string, number>
}

const failuresOfStores = new WeakMap<Store, Failures>()

/** One count for all that is opened by a credential of administration: `/admin/v1`, `/metrics` and the test controls. */
function failuresOf({ store, clock }: Pick<App, 'store' | 'clock'>): Failures {
  const known = failuresOfStores.get(store)
  if (known !== undefined) return known
  const fresh = { windows: rateWindows(clock.elapsedMs), underWay: new Map<string, number>() }
  failuresOfStores.set(store, fresh)
  return fresh
}

function requireNotThrottled(app: Pick<App, 'store' | 'clock'>, key: string): void {
  const { windows, underWay } = failuresOf(app)
  const failed: Counted = windows.peek(key) ?? { hits: 0, endsInMs: 1000 }
  if (failed.hits + (underWay.get(key) ?? 0) >= mostFailures) throw tooManyAttempts(failed, app.clock.now())
}

/**
 * Counts one failure under every key. Where several nodes share a database they count together: each learns of the
 * failures at the others with its own next one, so that guessing at all of them in turn gains one try per node.
 */
async function countFailure(app: Pick<App, 'store' | 'clock' | 'db' | 'dueSignal'>, ...keys: string[]): Promise<void> {
  const { windows } = failuresOf(app)
  for (const key of keys) windows.hit(key)
  if (app.store.dialect !== 'postgres') return
  for (const key of keys) windows.raise(key, await countTogether(app, `failed:${key}`))
}

/** Runs what checks a password or a code; each wrong one counts under every key. */
export async function countingFailures<Result>(
  app: App,
  keys: readonly string[],
  check: () => Promise<Result>,
): Promise<Result> {
  for (const key of keys) requireNotThrottled(app, key)
  for (const key of keys) countUnderWay(app, key, 1)
  let isGuess = false
  try {
    return await check()
  } catch (thrown) {
    isGuess = thrown instanceof ApiError && thrown.isFailedCredential
    throw thrown
  } finally {
    // In one turn from under way to failed: while the nodes count together, nobody may see this try twice.
    for (const key of keys) countUnderWay(app, key, -1)
    if (isGuess) await countFailure(app, ...keys)
  }
}

function countUnderWay(app: App, key: string, change: 1 | -1): void {
  const { underWay } = failuresOf(app)
  const count = (underWay.get(key) ?? 0) + change
  if (count === 0) underWay.delete(key)
  else underWay.set(key, count)
}
