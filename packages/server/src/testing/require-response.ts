import { inspect } from 'node:util'

/** Throws a TypeError if the function of a test returned something else. A `Response` may be that of another package. */
export function requireResponse(returned: unknown, owner: string): Response {
  const { status, headers, clone } = Object(returned)
  if (typeof status === 'number' && typeof headers?.has === 'function' && typeof clone === 'function')
    return returned as Response // just checked
  throw new TypeError(
    `${owner} must return a Response, such as new Response(null, { status: 503 }); it returned ${inspect(returned)}.`,
  )
}
