import type { Context } from 'hono'
import type { Config } from '../../core/config.ts'
import type { CookiePlace } from './cookies.ts'

/** Where a request reaches the dashboard, as its reader's browser sees it. */
export interface Place extends CookiePlace {
  /** Of the server, without a trailing slash. */
  readonly serverUrl: string
  /** From which a form may come. */
  readonly origins: readonly string[]
}

/** What `publicUrl` says holds, whatever a proxy has made of host and path. */
export function placeOf(c: Context, { publicUrl }: Pick<Config, 'publicUrl'>): Place {
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

/** A path of the dashboard to go to after signing in; whatever else is asked for is not gone to. */
export const isOwnPath = (place: Place, path: string): boolean =>
  (path === place.path || path.startsWith(`${place.path}/`)) && !path.includes('\\') && !/\s/.test(path)
