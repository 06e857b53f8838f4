import { http, type RequestHandler } from 'msw'
import { requireKnown } from '../../core/known-keys.ts'
import { connectionCause } from '../intercept/connection-cause.ts'
import { type Origins, readOrigins } from '../intercept/origins.ts'
import { setTransport } from '../transport.ts'

/** What of a server the handlers need. */
export interface FetchServer {
  fetch(request: Request): Promise<Response>
}

/** Options of `mswHandlers`. */
export interface MswHandlersOptions {
  /** Where your code believes the platform to be, e.g. `https://api.example.com`; one or several. */
  readonly origin: string | readonly string[]
}

/**
 * Handlers for MSW 2.10 or later and 3 that have the server answer every request for an origin.
 *
 * @example
 * const msw = setupServer(...mswHandlers(server, { origin: 'https://api.example.com' }))
 */
export function mswHandlers(server: FetchServer, options: MswHandlersOptions): RequestHandler[] {
  requireKnown(options, ['origin'], '`mswHandlers`')
  return [...readOrigins(options.origin satisfies Origins)].map((each) =>
    http.all(`${each}/*`, async ({ request }) => {
      try {
        return await server.fetch(setTransport(request, 'msw'))
      } catch (thrown) {
        throw connectionCause(thrown)
      }
    }),
  )
}
