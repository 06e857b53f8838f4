import ky from 'ky'
import type { Fetch } from './client-options.ts'

/** Functions around every request. They see the token, and whatever else is sent and answered. */
export interface TransportOptions {
  /** Before each attempt. May give another request to send, e.g. a signed one. */
  readonly beforeRequest?: ((request: Request) => Request | undefined | Promise<Request | undefined>) | undefined
  /** After each answer, with a copy to read. May give another response in its place. */
  readonly afterResponse?:
    | ((response: Response, request: Request) => Response | undefined | Promise<Response | undefined>)
    | undefined
  /** Sends in the end; the global `fetch` when not given. */
  readonly fetch?: Fetch | undefined
}

/**
 * A transport with hooks, for the client's `fetch` option: to sign requests for a gateway, to trace, to measure. It
 * retries nothing, times nothing and judges no status; the client does that. It stands in an entry of its own, because
 * it weighs more than half of what the client does.
 *
 * @example
 * const fetch = createTransport({ beforeRequest: (request) => void request.headers.set('traceparent', traceparent()) })
 * const client = createClient({ baseUrl, token, workspace, fetch })
 */
export function createTransport({ beforeRequest, afterResponse, fetch }: TransportOptions): Fetch {
  // Ky runs the hooks. Its own policies are off: docs/decisions/021-client-transport.md says why.
  const send = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // With these options ky hands over what it made: always a `Request`.
    fetch: async (input) => (fetch ?? globalThis.fetch)(input as Request),
    hooks: {
      beforeRequest: beforeRequest ? [({ request }) => beforeRequest(request)] : [],
      afterResponse: afterResponse ? [({ request, response }) => afterResponse(response, request)] : [],
    },
  })
  return (request) => send(request)
}
