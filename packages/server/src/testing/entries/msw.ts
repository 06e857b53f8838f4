import { http, type RequestHandler } from 'msw'
import { requireKnown } from '../../core/known-keys.ts'
import { type Origins, readOrigins } from '../intercept.ts'
import { setTransport } from '../observed-request.ts'
import { requireServer } from '../require-server.ts'

/** The parts of a server that the handlers need. */
export interface FetchServer {
  fetch(request: Request): Promise<Response>
}

/** Options of `mswHandlers`. */
export interface MswHandlersOptions {
  /** The origin that your code calls, e.g. `https://api.example.com`; one or several. */
  readonly origin: string | readonly string[]
}

/**
 * MSW handlers (2.10 or later, and 3) that pass every request for an origin to the server.
 *
 * @example
 * const msw = setupServer(...mswHandlers(server, { origin: 'https://api.example.com' }))
 */
export function mswHandlers(server: FetchServer, options: MswHandlersOptions): RequestHandler[] {
  requireServer(server, { part: 'fetch', owner: '`mswHandlers`' })
  requireKnown(options, ['origin'], '`mswHandlers`')
  return [...readOrigins(options?.origin satisfies Origins)].map((each) =>
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
 * A fault's error in the form that MSW forwards: MSW passes an error through only if it has the fields of a code and a number, and
 * turns any other into a 500 response. `fetch` should reject with its TypeError, whose cause has the code; Node socket
 * clients read the code from the error itself. So this is the TypeError with the code added.
 */
function connectionCause(thrown: unknown): unknown {
  if (!(thrown instanceof TypeError && thrown.cause instanceof Error)) return thrown
  const { code, errno }: Error & { code?: unknown; errno?: unknown } = thrown.cause
  return Object.assign(thrown, { code, errno })
}
