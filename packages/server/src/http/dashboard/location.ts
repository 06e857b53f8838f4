import type { Context } from 'hono'
import type { Config } from '../../core/config.ts'
import type { CookieScope } from './cookies.ts'

export interface DashboardLocation extends CookieScope {
  readonly serverUrl: string
  readonly origins: readonly string[]
}

/** `publicUrl` takes precedence over the host and path that a proxy passes on. */
export function locationOf(c: Context, { publicUrl }: Pick<Config, 'publicUrl'>): DashboardLocation {
  const { origin } = new URL(c.req.url)
  const url = new URL(publicUrl ?? origin)
  const prefix = url.pathname.replace(/\/$/, '')
  return {
    isHttps: url.protocol === 'https:',
    path: `${prefix}/dashboard`,
    serverUrl: `${url.origin}${prefix}`,
    origins: [...new Set([url.origin, origin])],
  }
}

/** Whether a path is a dashboard page to return to after signing in; prevents open redirects. */
export const isDashboardPath = (location: DashboardLocation, path: string): boolean =>
  (path === location.path || path.startsWith(`${location.path}/`)) && !path.includes('\\') && !/\s/.test(path)
