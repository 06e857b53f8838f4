import { ApiError, forbidden } from '../../core/errors.ts'

/**
 * Prevents cross-site request forgery: a form on another site could submit here with the reader's cookies. Every change
 * must come from a page of this server and have the content type of its forms.
 */
export function requireSameOriginForm(request: Request, ownOrigins: readonly string[]): void {
  if (!isSameOrigin(request, ownOrigins))
    throw forbidden('This form was not sent from a page of this server. Reload the page and try again.')
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw new ApiError('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.')
}

/**
 * Browsers report where a request comes from. `Sec-Fetch-Site` is valid whatever host name a proxy passes on. If it is
 * missing (old browsers, or plain http from another machine), the origin is compared.
 */
function isSameOrigin({ headers }: Request, ownOrigins: readonly string[]): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  return ownOrigins.includes(headers.get('origin') ?? '')
}
