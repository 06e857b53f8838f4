import type { Context } from 'hono'
import { forwardsHttps } from '../../core/addresses.ts'
import type { Config } from '../../core/config.ts'
import type { CookieScope } from './cookies.ts'

export interface DashboardLocation extends CookieScope {
  readonly serverUrl: string
  readonly origins: readonly string[]
}

type LocationConfig = Pick<Config, 'publicUrl' | 'trustedProxies'>

const httpsChecks = new WeakMap<LocationConfig, ReturnType<typeof forwardsHttps>>()

function isForwardedHttps(c: Context, config: LocationConfig): boolean {
  const check = httpsChecks.get(config) ?? forwardsHttps(config)
  httpsChecks.set(config, check)
  return check(c.req.raw, c.env)
}

/**
 * `publicUrl` takes precedence over the host and path that a proxy passes on. Without it, a trusted proxy tells whether
 * the browser uses https.
 */
export function toLocation(c: Context, config: LocationConfig): DashboardLocation {
  const { origin } = new URL(c.req.url)
  const url = new URL(config.publicUrl ?? origin)
  if (config.publicUrl === undefined && isForwardedHttps(c, config)) url.protocol = 'https:'
  const prefix = url.pathname.replace(/\/$/, '')
  return {
    isHttps: url.protocol === 'https:',
    path: `${prefix}/dashboard`,
    cookieSuffix: cookieSuffix(url, prefix),
    serverUrl: `${url.origin}${prefix}`,
    origins: [...new Set([url.origin, origin])],
  }
}

/**
 * Cookies of one host are sent to all its ports, and `__Host-` cookies to all its paths. With the port and the path in
 * their names, two instances on one host keep their own. Empty for an instance at the root of the default port.
 */
function cookieSuffix({ port, protocol }: URL, prefix: string): string {
  if (port === '' && prefix === '') return ''
  const defaultPort = protocol === 'https:' ? '443' : '80'
  // Two paths never share a name, so all other characters are escaped, even the dot.
  const name = prefix.replace(/[^A-Za-z0-9~-]/g, (character) =>
    character === '/' ? '.' : `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `.${port || defaultPort}${name}`
}

/** Whether a path is a dashboard page to return to after signing in; prevents open redirects. Browsers resolve `..`. */
export function isDashboardPath({ path: home, serverUrl }: DashboardLocation, path: string): boolean {
  if (!path.startsWith('/') || path.includes('\\') || /\s/.test(path) || !URL.canParse(path, serverUrl)) return false
  const { origin, pathname } = new URL(path, serverUrl)
  return origin === new URL(serverUrl).origin && (pathname === home || pathname.startsWith(`${home}/`))
}
