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

/** Test fixtures. */
export interface ServiceTestContext {
  /** The test's own server, forked from one that was seeded once. */
  readonly server: TestServer
  /** The options of a client: `createClient({ ...service })`. */
  readonly service: Service
}

interface WorkerFixtures {
  readonly serviceTemplate: Template
}

/**
 * Vitest's `test` with a separate platform per test, including `test.concurrent`. Contract violations fail
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
 * A platform per test, with hooks instead of fixtures. Does not support `test.concurrent`, because only one
 * platform exists at a time.
 *
 * @example
 * const service = useService({ seed: 'demo' })
 * test('lists tickets', async () => { await service.fetch('/api/v1/…') })
 */
export function useService(options: ServiceOptions = {}): Service {
  return currentService(options, { beforeEach, afterEach, afterAll })
}
