import { ApiError, forbidden } from '../../core/errors.ts'

// A form on another site can be made to send itself here, with the cookies of whoever looks at it. So whatever changes
// something must come from a page of ours, and be what a form of ours sends.

/** Throws unless the request comes from a page of the dashboard. */
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
