import { createTestServer } from '../create-test-server.ts'
import type { TestServerOptions } from '../server-options.ts'
import type { TestServer } from '../test-server.ts'

/** One seeded server that is never used itself: every test gets a fork of it. */
export interface Template {
  fork(): Promise<TestServer>
  close(): Promise<void>
}

/** Tests find out at once: what breaks the contract fails the test that did it. */
const strictest = { contract: 'throw' } as const

/** Plants the seed when the first fork is asked for. */
export function createTemplate(options: TestServerOptions): Template {
  let template: Promise<TestServer> | undefined
  return {
    async fork() {
      template ??= createTestServer({ ...strictest, ...options })
      return (await template).fork()
    },
    async close() {
      const started = await template?.catch(() => undefined)
      template = undefined
      await started?.close()
    },
  }
}
