import { type Origins, readOrigins } from './origins.ts'

// Playwright's types by their shape, so that playwright, playwright-core and @playwright/test fit in any version.

/** What of a request in a browser is needed. */
export interface RoutedRequest {
  url(): string
  method(): string
  allHeaders(): Promise<Readonly<Record<string, string>>>
  postDataBuffer(): Uint8Array | null
}

/** A request that waits for its answer. */
export interface RoutedRoute {
  request(): RoutedRequest
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>
  abort(errorCode?: string): Promise<void>
}

/** A page or a context of Playwright. */
export interface Routable {
  route(url: (url: URL) => boolean, handler: (route: RoutedRoute) => Promise<void>): Promise<unknown>
  unroute(url: (url: URL) => boolean): Promise<void>
}

/** Requests of a browser that a server answers. */
export interface Routed {
  /** Lets them go to the network again. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Answer = (request: Request) => Promise<Response>

export async function routeRequests(page: Routable, answer: Answer, origin: Origins): Promise<Routed> {
  const origins = readOrigins(origin)
  const isMeant = (url: URL) => origins.has(url.origin)
  await page.route(isMeant, (route) => answerRoute(route, answer))
  const stop = () => page.unroute(isMeant)
  return { stop, [Symbol.asyncDispose]: stop }
}

async function answerRoute(route: RoutedRoute, answer: Answer): Promise<void> {
  const request = await toRequest(route.request())
  try {
    const response = await answer(request)
    const body = Buffer.from(await response.arrayBuffer())
    await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body })
  } catch (thrown) {
    await route.abort(errorCodeOf(thrown))
  }
}

async function toRequest(request: RoutedRequest): Promise<Request> {
  const body = request.postDataBuffer()
  const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'))
  return new Request(request.url(), {
    method: request.method(),
    headers,
    body: body === null ? null : new Uint8Array(body),
  })
}

/** As Playwright names the browser's network errors. */
const errorCodes: Readonly<Record<string, string>> = {
  ECONNRESET: 'connectionreset',
  ECONNREFUSED: 'connectionrefused',
  ENOTFOUND: 'namenotresolved',
  UND_ERR_SOCKET: 'connectionclosed',
}

function errorCodeOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return errorCodes[code] ?? 'failed'
}
