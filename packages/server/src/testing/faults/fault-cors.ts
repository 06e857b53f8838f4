import { Hono } from 'hono'
import { mountCors } from '../../http/cors.ts'

/** A browser sends a preflight before most requests with a token. It must not use up a fault. */
export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.has('access-control-request-method')

/** Adds the CORS headers of the platform's responses to that of a fault, so that pages can read it. */
export function createFaultCors(config: { readonly corsOrigins: readonly string[] }) {
  if (config.corsOrigins.length === 0) return (_: Request, response: Response) => response
  const hono = new Hono<{ Bindings: { readonly response: Response } }>()
  mountCors(hono as never, config) // its bindings do not matter
  hono.all('*', ({ env }) => env.response)
  return async (request: Request, response: Response): Promise<Response> =>
    response.headers.has('access-control-allow-origin')
      ? response
      : hono.fetch(new Request(request.url, { method: request.method, headers: request.headers }), { response })
}
