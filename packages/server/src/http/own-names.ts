import { isIP } from 'node:net'
import type { App } from '../context.ts'
import { forbidden } from '../core/errors.ts'
import type { RequestHandler } from '../runtime/admission.ts'
import { jsonHeaders, toErrorResponse } from './error-response.ts'

// A web page may give its own host name the address of this machine (DNS rebinding); the browser then takes this server
// for the page's own and lets the page read everything. The name in the Host header gives it away: a browser sends the
// one that the page has. Only the demo and the test controls ask for it: what they open is known, or opens everything.

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** What tells only whether the server is well: whoever watches over a container asks by whatever name it has there. */
const askedByAnyName = new Set(['/livez', '/readyz'])

/** The same answers, for requests that name this server as it is called; `host` is what it listens on. */
export function onlyOwnNames(app: Pick<App, 'config' | 'log'>, answer: RequestHandler, host: string): RequestHandler {
  const { publicUrl, allowedHosts } = app.config
  const given = [host, publicUrl ?? '', ...allowedHosts].map(nameOf).filter((name) => name !== '')
  const names = new Set([...loopback, ...given])
  return (request, env) => {
    const asked = request.headers.get('host') ?? ''
    if (names.has(nameOf(asked)) || askedByAnyName.has(new URL(request.url).pathname)) return answer(request, env)
    const refusal = forbidden(
      `This server does not go by the name ${JSON.stringify(asked.slice(0, 255))}. If it should, add the name to allowedHosts (SERVICE_ALLOWED_HOSTS).`,
    )
    const { status, json, headers } = toErrorResponse(refusal, app.log, '')
    return new Response(json, { status, headers: { ...jsonHeaders, ...headers } })
  }
}

/** The host name of a URL or of a Host header, as a URL spells it; empty when it is none. */
function nameOf(text: string): string {
  const url = text.includes('://') ? text : `http://${isIP(text) === 6 ? `[${text}]` : text}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}
