import type { App } from '../context.ts'
import { forbidden } from '../core/errors.ts'
import { parseHostName } from '../core/host-name.ts'
import type { RequestHandler } from '../runtime/admission.ts'
import { jsonHeaders, toErrorResponse } from './error-response.ts'

// DNS rebinding: a web page can point its own host name at this machine. The browser then treats this server as the
// same origin and lets the page read responses. The Host header reveals it, because it holds the page's host name. Only
// the demo and the test controls check it: their credentials are public, or they need none.

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Health checks reveal nothing else, and container probes use arbitrary host names. */
const anyHostPaths = new Set(['/livez', '/readyz'])

/** Answers only requests whose Host header names this server; `host` is the address it listens on. */
export function requireAllowedHost(
  app: Pick<App, 'config' | 'log'>,
  answer: RequestHandler,
  host: string,
): RequestHandler {
  const { publicUrl, allowedHosts } = app.config
  const configured = [host, publicUrl ?? '', ...allowedHosts].map(parseHostName).filter((name) => name !== '')
  const names = new Set([...loopback, ...configured])
  return (request, env) => {
    const hostHeader = request.headers.get('host')
    // Every browser sends the header, and only HTTP/1.0 may omit it.
    if (hostHeader === null || names.has(parseHostName(hostHeader)) || anyHostPaths.has(new URL(request.url).pathname))
      return answer(request, env)
    const refusal = forbidden(
      `The Host header ${JSON.stringify(hostHeader.slice(0, 255))} is not allowed. If it names this server, add it to allowedHosts (SERVICE_ALLOWED_HOSTS).`,
    )
    const { status, text, headers } = toErrorResponse(refusal, app.log, { requestId: '' })
    return new Response(text, { status, headers: { ...jsonHeaders, ...headers } })
  }
}
