import type { Context } from 'hono'
import type { Config } from '../../core/config.ts'
import { ApiError, forbidden } from '../../core/errors.ts'
import type { CookiePlace } from './cookies.ts'

export interface Place extends CookiePlace {
  readonly serverUrl: string
  readonly origins: readonly string[]
}

/** `publicUrl` takes precedence over the host and path that a proxy passes on. */
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

/** Whether a path is a dashboard page to return to after signing in; prevents open redirects. */
export const isOwnPath = (place: Place, path: string): boolean =>
  (path === place.path || path.startsWith(`${place.path}/`)) && !path.includes('\\') && !/\s/.test(path)

// Cross-site request forgery: a form on another site can submit here with the reader's cookies. So every change must
// come from one of our pages and have the content type of our forms.

export function requireOwnForm(request: Request, ownOrigins: readonly string[]): void {
  if (!comesFromHere(request, ownOrigins))
    throw forbidden('This form was not sent from a page of this server. Reload the page and try again.')
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw new ApiError('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.')
}

/**
 * Browsers report where a request comes from. `Sec-Fetch-Site` is valid whatever host name a proxy passes on. If it is
 * missing (old browsers, or plain http from another machine), the origin is compared.
 */
function comesFromHere({ headers }: Request, ownOrigins: readonly string[]): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  return ownOrigins.includes(headers.get('origin') ?? '')
}
