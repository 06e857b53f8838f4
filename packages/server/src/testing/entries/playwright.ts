import { readOrigins } from '../intercept.ts'
import { requireServer } from '../require-server.ts'
import {
  createTemplate,
  isProcessWide,
  openService,
  type Service,
  type ServiceOptions,
  type Template,
  toTestServerOptions,
} from '../runners/service.ts'
import type { TestServer } from '../test-controls.ts'

export type { Service, ServiceOptions, Template } from '../runners/service.ts'

/**
 * Routes requests of a page, or of all pages of a context, for an origin to the server. Connection faults appear
 * as the browser's network errors. A page of another origin can read the responses if the server's `corsOrigins` allow it.
 *
 * @example
 * await routeTo(page, server, 'https://api.example.com')
 */
export async function routeTo(
  page: Routable,
  server: Pick<TestServer, 'fetch'>,
  origin: string | readonly string[],
): Promise<Routed> {
  requireServer(server, { part: 'fetch', owner: '`routeTo`' })
  const origins = readOrigins(origin)
  const isMeant = (url: URL) => origins.has(url.origin)
  const pending = new Map<RoutedRequest, AbortController>()
  const abandon = (request: RoutedRequest) => pending.get(request)?.abort()
  page.on('requestfailed', abandon)
  await page.route(isMeant, async (route) => {
    const abandoned = new AbortController()
    pending.set(route.request(), abandoned)
    await answerRoute(route, server.fetch, abandoned.signal)
    pending.delete(route.request())
  })
  const stop = async () => {
    await page.unroute(isMeant)
    page.off('requestfailed', abandon)
    for (const abandoned of pending.values()) abandoned.abort()
  }
  return { stop, [Symbol.asyncDispose]: stop }
}

type Use<Value> = (value: Value) => Promise<void>

/** Options of the fixtures. */
export interface ServiceFixturesOptions extends ServiceOptions {
  /** The origin that the pages call. The server handles its requests in the context of every test. */
  readonly route?: string | readonly string[]
}

/** Test fixtures. */
export interface ServiceFixtures {
  /** The test's own server, forked from one that was seeded once. */
  readonly server: TestServer
  readonly service: Service
}

/** Worker fixtures. */
export interface ServiceWorkerFixtures {
  readonly serviceTemplate: Template
}

/** Fixtures for Playwright's `test.extend`. */
export interface ServiceFixtureSetup {
  readonly serviceTemplate: [(fixtures: object, use: Use<Template>) => Promise<void>, { scope: 'worker' }]
  readonly service: [
    (fixtures: { readonly serviceTemplate: Template }, use: Use<Service>) => Promise<void>,
    { auto: boolean },
  ]
  /** Routes the pages of every test, including tests that name none of these fixtures. */
  readonly serviceRoute: [
    (fixtures: { readonly service: Service; readonly context: Routable }, use: () => Promise<void>) => Promise<void>,
    { auto: boolean },
  ]
  readonly server: (fixtures: { readonly service: Service }, use: Use<TestServer>) => Promise<void>
}

/**
 * One seeded server per worker, and a fork of it per test.
 *
 * @example
 * const test = base.extend<ServiceFixtures, ServiceWorkerFixtures>(
 *   serviceFixtures({ seed: 'demo', route: 'https://api.example.com', corsOrigins: ['https://app.example.com'] }),
 * )
 */
export function serviceFixtures({ route, ...options }: ServiceFixturesOptions = {}): ServiceFixtureSetup {
  return {
    // Playwright parses the parameter names of fixtures, so each first argument must be destructured in place.
    serviceTemplate: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright refuses a first argument that is not taken apart
      async ({}, use) => {
        const template = createTemplate(toTestServerOptions(options))
        await use(template)
        await template.close()
      },
      { scope: 'worker' },
    ],
    service: [
      async ({ serviceTemplate }, use) => {
        const { service, close } = await openService(serviceTemplate, options)
        await use(service)
        await close()
      },
      { auto: isProcessWide(options) },
    ],
    serviceRoute: [
      async ({ service, context }, use) => {
        const routed = route === undefined ? undefined : await routeTo(context, service.server, route)
        await use()
        await routed?.stop()
      },
      { auto: route !== undefined },
    ],
    server: async ({ service }, use) => use(service.server),
  }
}

// Structural types, so that any version of playwright, playwright-core, and @playwright/test fits.

/** The parts of a browser request that are needed. */
export interface RoutedRequest {
  url(): string
  method(): string
  allHeaders(): Promise<Readonly<Record<string, string>>>
  postDataBuffer(): Uint8Array | null
}

/** A request that waits for its response. */
export interface RoutedRoute {
  request(): RoutedRequest
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>
  abort(errorCode?: string): Promise<void>
}

/** A Playwright page or context. */
export interface Routable {
  route(url: (url: URL) => boolean, handler: (route: RoutedRoute) => Promise<void>): Promise<unknown>
  unroute(url: (url: URL) => boolean): Promise<void>
  on(event: 'requestfailed', listener: (request: RoutedRequest) => void): unknown
  off(event: 'requestfailed', listener: (request: RoutedRequest) => void): unknown
}

/** Routed browser requests. */
export interface Routed {
  /** Restores network access. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

async function answerRoute(route: RoutedRoute, fetch: TestServer['fetch'], signal: AbortSignal): Promise<void> {
  const answer = await respond(route, fetch, signal).catch((thrown: unknown) => errorCodeOf(thrown))
  const settled = typeof answer === 'string' ? route.abort(answer) : route.fulfill(answer)
  // Playwright rejects if the page is gone, has navigated away, or another handler has handled the request.
  await settled.catch(() => undefined)
}

async function respond(route: RoutedRoute, fetch: TestServer['fetch'], signal: AbortSignal) {
  const request = route.request()
  const body = request.postDataBuffer()
  const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'))
  const response = await fetch(request.url(), {
    method: request.method(),
    headers,
    body: body === null ? null : new Uint8Array(body),
    signal,
  })
  const { status } = response
  const answerHeaders = { ...readableByNoPage(request.url()), ...Object.fromEntries(response.headers) }
  return { status, headers: answerHeaders, body: Buffer.from(await response.arrayBuffer()) }
}

/**
 * Without this header, Playwright allows the page to read the response. A cross-origin page never has the origin that it
 * calls, so the server's `corsOrigins` decide, as over a port.
 */
const readableByNoPage = (url: string) => ({ 'access-control-allow-origin': new URL(url).origin })

/** The browser's network errors as Playwright names them. */
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
