import type { App } from '../context.ts'
import { addressKey } from '../core/addresses.ts'
import { ApiError, unauthorized } from '../core/errors.ts'
import { hashSecret, matchesSecretHash } from '../core/ids.ts'
import { followSecret } from '../encryption/secret-file.ts'
import { countRequest } from '../modules/tokens/service.ts'
import { isSessionToken } from '../modules/users/session-service.ts'
import type { Store } from '../store/store.ts'
import { bearerToken } from './bearer.ts'
import { type Counted, type RateWindows, rateWindows, tooManyAttempts } from './rate-limit.ts'

/** In the `User-Agent` of the command line. */
export const commandLineProduct = 'service-server-cli'

const inProcess = new WeakSet<Request>()

/** Marks a request made by code of this process. A request over a port can never be this object. */
export function trustInProcess(request: Request): void {
  inProcess.add(request)
}

export const isInProcess = (request: Request): boolean => inProcess.has(request)

export function instanceTokenCheck({ config }: Pick<App, 'config'>): (token: string) => boolean {
  const readHash = tokenHash(config)
  return (token) => {
    const hash = readHash()
    return hash !== undefined && matchesSecretHash(token, hash)
  }
}

export type RequireAdmin = (request: Request, address: string) => Promise<void>

/** The hash of the admin token. A token file is read again when it changes, so that the token can be rotated. */
function tokenHash({ adminToken, adminTokenFile: path }: App['config']): () => string | undefined {
  if (path === undefined) {
    const hash = adminToken === undefined ? undefined : hashSecret(adminToken)
    return () => hash
  }
  const read = followSecret({ path, name: 'admin token', minLength: 20, mounted: true })
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
 * Rejects a token after its lookup, so that guesses from the same address never affect a valid token. A request without
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

/** After this many failures within 60 s, an address or account is blocked until the window ends. */
const maxFailures = 10

interface Failures {
  readonly windows: RateWindows
  /** Attempts in flight, whose result is not known yet. */
  readonly inFlight: Map<string, number>
}

const failuresOfStores = new WeakMap<Store, Failures>()

/** One count for everything that an admin credential opens: `/admin/v1`, `/metrics`, and the test controls. */
function failuresOf({ store, clock }: Pick<App, 'store' | 'clock'>): Failures {
  const known = failuresOfStores.get(store)
  if (known !== undefined) return known
  const fresh = { windows: rateWindows(clock.elapsedMs), inFlight: new Map<string, number>() }
  failuresOfStores.set(store, fresh)
  return fresh
}

function requireNotThrottled(app: Pick<App, 'store' | 'clock'>, key: string): void {
  const { windows, inFlight } = failuresOf(app)
  const failed: Counted = windows.peek(key) ?? { hits: 0, endsInMs: 1000 }
  if (failed.hits + (inFlight.get(key) ?? 0) >= maxFailures) throw tooManyAttempts(failed, app.clock.now())
}

/**
 * Counts one failure under every key. Nodes on a shared database count together. Each node learns of the others'
 * failures with its own next one, so an attacker gains one attempt per node.
 */
async function countFailure(app: Pick<App, 'store' | 'clock' | 'db' | 'dueSignal'>, ...keys: string[]): Promise<void> {
  const { windows } = failuresOf(app)
  for (const key of keys) windows.hit(key)
  if (app.store.dialect !== 'postgres') return
  for (const key of keys) windows.raise(key, await countRequest(app, `failed:${key}`))
}

/** Runs a check of a password or code, and counts a failure under every key. */
export async function withFailureCount<Result>(
  app: App,
  keys: readonly string[],
  check: () => Promise<Result>,
): Promise<Result> {
  for (const key of keys) requireNotThrottled(app, key)
  for (const key of keys) countInFlight(app, key, 1)
  let isGuess = false
  try {
    return await check()
  } catch (thrown) {
    isGuess = thrown instanceof ApiError && thrown.isFailedCredential
    throw thrown
  } finally {
    // In the same turn as the failure is counted: the attempt must not be missing while the nodes count together.
    for (const key of keys) countInFlight(app, key, -1)
    if (isGuess) await countFailure(app, ...keys)
  }
}

function countInFlight(app: App, key: string, change: 1 | -1): void {
  const { inFlight } = failuresOf(app)
  const count = (inFlight.get(key) ?? 0) + change
  if (count === 0) inFlight.delete(key)
  else inFlight.set(key, count)
}
