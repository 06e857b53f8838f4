import type { App } from '../core/context.ts'
import { unauthorized } from '../core/errors.ts'
import { hashSecret, isSecret } from '../core/secrets.ts'
import { followSecret } from '../encryption/secret-file.ts'
import { addressKey } from './address-key.ts'
import { bearerToken } from './bearer.ts'
import { countFailure, requireNotThrottled } from './login-failures.ts'

/** In the `User-Agent` of the command line. */
export const commandLineProduct = 'service-server-cli'

const inProcess = new WeakSet<Request>()

/** For requests that code of this process makes by itself: nothing that comes over a port can be this object. */
export function trustInProcess(request: Request): void {
  inProcess.add(request)
}

export const isInProcess = (request: Request): boolean => inProcess.has(request)

/** Whether a text is the token of administration, which the settings name. */
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

/** Refuses unless the request carries the token of administration. */
export function adminLogin(app: Pick<App, 'store' | 'clock' | 'config' | 'db' | 'dueSignal'>): RequireAdmin {
  const isInstanceToken = instanceTokenCheck(app)
  return async (request, address) => {
    if (isInProcess(request)) return
    const key = addressKey(address)
    requireNotThrottled(app, key)
    const token = bearerToken(request)
    if (token !== undefined && isInstanceToken(token)) return
    // Who shows nothing guesses nothing.
    if (token !== undefined) await countFailure(app, key)
    throw unauthorized('Unauthenticated.', token)
  }
}
