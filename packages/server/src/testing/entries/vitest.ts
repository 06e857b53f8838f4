import { afterAll, afterEach, test as baseTest, beforeEach, type TestAPI } from 'vitest'
import { currentService } from '../runners/current-service.ts'
import {
  createTemplate,
  openService,
  type Service,
  type ServiceOptions,
  type Template,
  toTestServerOptions,
} from '../runners/service.ts'
import type { TestServer } from '../test-controls.ts'

export type { Service, ServiceOptions, Template } from '../runners/service.ts'

/** What a test gets. */
export interface ServiceTestContext {
  /** The test's own server, forked from one that was seeded once. */
  readonly server: TestServer
  /** What a client of it needs: `createClient({ ...service })`. */
  readonly service: Service
}

interface WorkerFixtures {
  readonly serviceTemplate: Template
}

/**
 * Vitest's `test` with a platform of its own for each test, also under `test.concurrent`. What breaks the contract fails
 * the test.
 *
 * @example
 * const test = serviceTest({ seed: 'demo' })
 * test('lists tickets', async ({ server, service }) => { … })
 */
export function serviceTest(options: ServiceOptions = {}): TestAPI<ServiceTestContext & WorkerFixtures> {
  const serverOptions = toTestServerOptions(options)
  return baseTest.extend<ServiceTestContext & WorkerFixtures>({
    serviceTemplate: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first argument's text
      async ({}, use) => {
        const template = createTemplate(serverOptions)
        await use(template)
        await template.close()
      },
      { scope: 'worker' },
    ],
    service: async ({ serviceTemplate }, use) => {
      const { service, close } = await openService(serviceTemplate, options)
      await use(service)
      await close()
    },
    server: async ({ service }, use) => use(service.server),
  })
}

/**
 * A platform for each test of a file, for those who like hooks better than fixtures. Not for `test.concurrent`: there is
 * one at a time.
 *
 * @example
 * const service = useService({ seed: 'demo' })
 * test('lists tickets', async () => { await service.fetch('/api/v1/…') })
 */
export function useService(options: ServiceOptions = {}): Service {
  return currentService(options, { beforeEach, afterEach, afterAll })
}
