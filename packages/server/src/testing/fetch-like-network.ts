import { STATUS_CODES } from 'node:http'
import { after } from '../core/clock.ts'
import type { RequestHandler } from '../runtime/admission.ts'
import { decodeBody } from './decode-body.ts'
import { transportOf } from './observed-request.ts'
import { sendRequest } from './send-request.ts'

/** How long undici's `fetch` waits for headers. */
const undiciHeadersTimeoutMs = 300_000

interface NetworkOptions {
  /** Fires when the server closes. */
  readonly closing: AbortSignal
  readonly headersTimeoutMs?: number
}

/**
 * In-process requests behave like a network `fetch`: the promise rejects as soon as the caller's signal fires or the
 * request body fails, and so does reading the body afterwards. Without a signal, undici waits for headers for five
 * minutes. The response has the URL, the standard text of its status, and a decoded body. Requests over a port have a
 * socket for that.
 */
export const fetchLikeNetwork =
  (handler: RequestHandler, options: NetworkOptions): RequestHandler =>
  async (request, env) => {
    if (env !== undefined) return handler(request, env)
    const response = await untilEnded({ request, ...options }, async (sent) => handler(sent))
    // Configurable, because interceptors such as MSW's set it again.
    const url = { value: request.url.split('#')[0], configurable: true }
    return Object.defineProperty(received(response, request), 'url', url)
  }

function untilEnded(
  { request: original, closing, headersTimeoutMs = undiciHeadersTimeoutMs }: NetworkOptions & { request: Request },
  work: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { signal } = original
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const { request, endBody } = sendRequest(original, { closing, onFailure: reject })
    const end = (reason: unknown) => {
      reject(reason)
      endBody(reason)
    }
    const abort = () => end(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const cancelTimeout = after(headersTimeoutMs, () => end(headersTimeout()))
    work(request)
      .then(resolve, reject)
      .finally(() => {
        signal.removeEventListener('abort', abort)
        cancelTimeout()
      })
  })
}

const headersTimeout = () =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('Headers Timeout Error'), {
      name: 'HeadersTimeoutError',
      code: 'UND_ERR_HEADERS_TIMEOUT',
    }),
  })

/** The response as the caller's `fetch` would return it. */
function received({ status, headers, body }: Response, request: Request): Response {
  const init = { status, statusText: STATUS_CODES[status] ?? 'unknown', headers }
  if (body === null || request.method === 'HEAD') {
    body?.cancel().catch(() => undefined)
    return new Response(null, init)
  }
  // MSW itself decodes the body for the code under test.
  const coding = transportOf(request, undefined) === 'msw' ? null : headers.get('content-encoding')
  const decoded = coding === null ? body : decodeBody(body, coding)
  return new Response(decoded.pipeThrough(new TransformStream(), { signal: request.signal }), init)
}
