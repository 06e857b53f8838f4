import { http, type RequestHandler } from 'msw'
import { requireKnown } from '../../core/known-keys.ts'
import { type Origins, readOrigins } from '../intercept.ts'
import { setTransport } from '../observed-request.ts'

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

/**
 * What a fault threw, as MSW hands it on: an error goes to the caller as it is when it has both a code and a number, and any
 * other becomes an answer of 500. `fetch` is to reject with its TypeError, whose cause has the code; clients of Node's own
 * sockets look for the code on the error itself. So it is the TypeError, and has the code too.
 */
function connectionCause(thrown: unknown): unknown {
  if (!(thrown instanceof TypeError && thrown.cause instanceof Error && 'code' in thrown.cause)) return thrown
  const { code, errno }: { code?: unknown; errno?: unknown } = thrown.cause
  return Object.assign(thrown, { code, errno })
}
