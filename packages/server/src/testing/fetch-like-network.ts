import { after } from '../core/clock.ts'
import type { RequestHandler } from '../runtime/admission.ts'

/** How long undici's `fetch` waits for headers. */
const undiciHeadersTimeoutMs = 300_000

/**
 * In-process requests behave like a network `fetch`: the promise rejects as soon as the caller's signal fires, and so
 * does reading the body afterwards. Without a signal, undici waits for headers for five minutes. The response has the URL. Requests over a port have a socket for that.
 */
export const fetchLikeNetwork =
  (handler: RequestHandler, headersTimeoutMs = undiciHeadersTimeoutMs): RequestHandler =>
  async (request, env) => {
    if (env !== undefined) return handler(request, env)
    const response = await untilEnded(request.signal, headersTimeoutMs, async () => handler(request))
    return Object.defineProperty(withAbortableBody(response, request.signal), 'url', { value: request.url })
  }

function untilEnded(signal: AbortSignal, timeoutMs: number, work: () => Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const cancelTimeout = after(timeoutMs, () => reject(headersTimeout()))
    work()
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

function withAbortableBody(response: Response, signal: AbortSignal): Response {
  if (response.body === null) return response
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response)
}
