import { createServer, type PlatformServer, type ServerOptions } from '../../server.ts'

/** One seeded server that is never used itself: every test gets a fork of it. */
export interface Template {
  fork(): Promise<PlatformServer>
  close(): Promise<void>
}

/** Tests find out at once: what breaks the contract fails the test that did it. */
const strictest = { contract: 'throw' } as const

/** Plants the seed when the first fork is asked for. */
export function createTemplate(options: ServerOptions): Template {
  let template: Promise<PlatformServer> | undefined
  return {
    async fork() {
      template ??= createServer({ ...strictest, ...options })
      return (await template).fork()
    },
    async close() {
      const started = await template?.catch(() => undefined)
      template = undefined
      await started?.close()
    },
  }
}
