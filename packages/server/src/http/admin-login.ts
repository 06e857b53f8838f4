import type { App } from '../context.ts'
import { addressKey } from '../core/addresses.ts'
import { unauthorized } from '../core/errors.ts'
import { hashSecret, matchesSecretHash } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { type CountingApp, withFailureCount } from '../modules/users/failed-attempts.ts'
import { isSessionToken } from '../modules/users/session-service.ts'
import { OpenError } from '../store/open-error.ts'
import { followSecret } from '../store/secret-file.ts'
import { bearerToken } from './bearer.ts'

/** In the `User-Agent` of the command line. */
export const commandLineProduct = 'service-server-cli'

const minTokenLength = 20

const inProcess = new WeakSet<Request>()

/** Marks a request made by code of this process. A request over a port can never be this object. */
export function trustInProcess(request: Request): void {
  inProcess.add(request)
}

export const isInProcess = (request: Request): boolean => inProcess.has(request)

export function instanceTokenCheck({ config, log }: Pick<App, 'config' | 'log'>): TokenCheck {
  return tokenCheck({ token: config.adminToken, path: config.adminTokenFile, name: 'admin token' }, log)
}

type TokenCheck = (token: string) => boolean

interface ConfiguredToken {
  readonly token: string | undefined
  readonly path: string | undefined
  readonly name: string
}

/** A token file is read again when it changes, so that the token can be rotated. */
function tokenCheck({ token, path, name }: ConfiguredToken, log: Log): TokenCheck {
  const read = path === undefined ? () => token : followSecret({ path, name, minLength: minTokenLength, mounted: true })
  let reported = ''
  /** A file that cannot be read ends its own token, and no other. */
  const readOrReport = () => {
    try {
      return read()
    } catch (fault) {
      if (!(fault instanceof OpenError)) throw fault
      if (reported !== fault.message) log.error(`The ${name} is refused. ${fault.message}`)
      reported = fault.message
      return undefined
    }
  }
  return (given) => {
    const configured = readOrReport()
    return configured !== undefined && matchesSecretHash(given, hashSecret(configured))
  }
}

export type RequireAdmin = (request: Request, address: string) => Promise<void>

type TokenApp = CountingApp & Pick<App, 'config' | 'log'>

export const adminLogin = (app: TokenApp): RequireAdmin => tokenLogin(app, [instanceTokenCheck(app)])

/** The metrics token may read `/metrics` and nothing else. */
export function metricsLogin(app: TokenApp): RequireAdmin {
  const { metricsToken: token, metricsTokenFile: path } = app.config
  return tokenLogin(app, [instanceTokenCheck(app), tokenCheck({ token, path, name: 'metrics token' }, app.log)])
}

const tokenLogin =
  (app: CountingApp, checks: readonly TokenCheck[]): RequireAdmin =>
  async (request, address) => {
    if (isInProcess(request)) return
    const token = bearerToken(request)
    if (token === undefined || !checks.some((isValid) => isValid(token))) await refuseToken(app, { token, address })
  }

/** Unknown tokens of an address within 60 s. Further unknown ones get 429. */
const maxUnknownTokens = 10

/**
 * Rejects a token after its lookup, so that guesses from the same address never affect a valid token. A request without
 * a token is not a guess. Neither is an expired session, whose 256 random bits cannot be guessed.
 */
export async function refuseToken(
  app: CountingApp,
  { token, address }: { readonly token: string | undefined; readonly address: string },
): Promise<never> {
  const refusal = unauthorized('Unauthenticated.', token)
  if (token === undefined || isSessionToken(token)) throw refusal
  return withFailureCount(app, [{ key: `token:${addressKey(address)}`, max: maxUnknownTokens }], () => {
    throw refusal
  })
}
