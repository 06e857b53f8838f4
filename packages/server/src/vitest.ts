import { afterAll, afterEach, test as baseTest, beforeEach, type TestAPI } from 'vitest'
import type { PlatformServer } from './server.ts'
import { currentService } from './testing/runners/current-service.ts'
import { openService, type Service, type ServiceOptions, toServerOptions } from './testing/runners/service.ts'
import { createTemplate, type Template } from './testing/runners/template.ts'

export type { Service, ServiceOptions } from './testing/runners/service.ts'
export type { Template } from './testing/runners/template.ts'

/** What a test gets. */
export interface ServiceFixtures {
  /** The test's own server, forked from one that was seeded once. */
  readonly server: PlatformServer
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
export function serviceTest(options: ServiceOptions = {}): TestAPI<ServiceFixtures & WorkerFixtures> {
  return baseTest.extend<ServiceFixtures & WorkerFixtures>({
    serviceTemplate: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first argument's text
      async ({}, use) => {
        const template = createTemplate(toServerOptions(options))
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
