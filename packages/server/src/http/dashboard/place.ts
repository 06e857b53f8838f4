import type { Context } from 'hono'
import type { Config } from '../../core/config.ts'
import { ApiError, forbidden } from '../../core/errors.ts'
import type { CookiePlace } from './cookies.ts'

export interface Place extends CookiePlace {
  readonly serverUrl: string
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

// A form on another site can be made to send itself here, with the cookies of whoever looks at it. So whatever changes
// something must come from a page of ours, and be what a form of ours sends.

export function requireOwnForm(request: Request, ownOrigins: readonly string[]): void {
  if (!comesFromHere(request, ownOrigins))
    throw forbidden('This form did not come from a page of this server. Open the page again and repeat what you did.')
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw new ApiError('unsupported_media_type', 'Forms are taken as application/x-www-form-urlencoded only.')
}

/**
 * Browsers say by themselves from where a request comes. `Sec-Fetch-Site` holds whatever a proxy makes of the host's name;
 * where it is missing (old browsers, plain http off this machine) the origin is compared.
 */
function comesFromHere({ headers }: Request, ownOrigins: readonly string[]): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  return ownOrigins.includes(headers.get('origin') ?? '')
}
