import { http, type RequestHandler } from 'msw'
import { cameThrough } from './testing/door-name.ts'
import { connectionCause } from './testing/intercept/connection-cause.ts'
import { type Origins, readOrigins } from './testing/intercept/origins.ts'

/** What of a server the handlers need. */
export interface FetchServer {
  fetch(request: Request): Promise<Response>
}

export interface MswHandlersOptions {
  /** Where your code believes the platform to be, e.g. `https://api.example.com`; one or several. */
  readonly origin: string | readonly string[]
}

/**
 * Handlers for MSW 2.15 or later and 3 that have the server answer every request for an origin.
 *
 * @example
 * const msw = setupServer(...mswHandlers(server, { origin: 'https://api.example.com' }))
 */
export function mswHandlers(server: FetchServer, { origin }: MswHandlersOptions): RequestHandler[] {
  return [...readOrigins(origin satisfies Origins)].map((each) =>
    http.all(`${each}/*`, async ({ request }) => {
      try {
        return await server.fetch(cameThrough(request, 'msw'))
      } catch (thrown) {
        throw connectionCause(thrown)
      }
    }),
  )
}
