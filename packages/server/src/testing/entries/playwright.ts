import { type Routable, type Routed, routeRequests } from '../intercept/route-requests.ts'
import { openService, type Service, type ServiceOptions, toTestServerOptions } from '../runners/service.ts'
import { createTemplate, type Template } from '../runners/template.ts'
import type { TestServer } from '../test-server.ts'

export type { Routable, Routed, RoutedRequest, RoutedRoute } from '../intercept/route-requests.ts'
export type { Service, ServiceOptions } from '../runners/service.ts'
export type { Template } from '../runners/template.ts'

/**
 * Has the server answer what a page, or all pages of a context, asks from an origin. Connection faults reach the page as
 * the browser's own network errors.
 *
 * @example
 * await routeTo(page, server, 'https://api.example.com')
 */
export function routeTo(
  page: Routable,
  server: Pick<TestServer, 'fetch'>,
  origin: string | readonly string[],
): Promise<Routed> {
  return routeRequests(page, server.fetch, origin)
}

type Use<Value> = (value: Value) => Promise<void>

/** Options of the fixtures. */
export interface ServiceFixturesOptions extends ServiceOptions {
  /** Where the pages believe the platform to be; its requests from the test's context are answered by the server. */
  readonly route?: string | readonly string[]
}

/** What a test gets. */
export interface ServiceFixtures {
  /** The test's own server, forked from one that was seeded once. */
  readonly server: TestServer
  readonly service: Service
}

/** What the tests of a worker share. */
export interface ServiceWorkerFixtures {
  readonly serviceTemplate: Template
}

/** Fixtures as Playwright's `test.extend` takes them. */
export interface ServiceFixtureSetup {
  readonly serviceTemplate: [(fixtures: object, use: Use<Template>) => Promise<void>, { scope: 'worker' }]
  readonly service: (
    fixtures: { readonly serviceTemplate: Template; readonly context: Routable },
    use: Use<Service>,
  ) => Promise<void>
  readonly server: (fixtures: { readonly service: Service }, use: Use<TestServer>) => Promise<void>
}

/**
 * One seeded server per worker and a fork of it for each test.
 *
 * @example
 * const test = base.extend<ServiceFixtures, ServiceWorkerFixtures>(
 *   serviceFixtures({ seed: 'demo', route: 'https://api.example.com' }),
 * )
 */
export function serviceFixtures({ route, ...options }: ServiceFixturesOptions = {}): ServiceFixtureSetup {
  return {
    // Playwright reads the names of what a fixture needs from its text, so each first argument is taken apart on the spot.
    serviceTemplate: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright refuses a first argument that is not taken apart
      async ({}, use) => {
        const template = createTemplate(toTestServerOptions(options))
        await use(template)
        await template.close()
      },
      { scope: 'worker' },
    ],
    service: async ({ serviceTemplate, context }, use) => {
      const { service, close } = await openService(serviceTemplate, options)
      const routed = route === undefined ? undefined : await routeTo(context, service.server, route)
      await use(service)
      await routed?.stop()
      await close()
    },
    server: async ({ service }, use) => use(service.server),
  }
}
