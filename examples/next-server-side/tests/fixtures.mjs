import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test as base } from '@playwright/test'
import { createTestServer } from '@service/server/testing'

/**
 * What the application asks on its server, no route of the browser can answer. So each worker has a platform on a port and a
 * Next that was told of it, and every test begins with the same state.
 */
export const test = base.extend({
  worker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright refuses a first argument that is not taken apart
    async ({}, use) => {
      const server = await createTestServer()
      const { workspace_id, token } = await server.tokens.issue()
      const { url } = await server.listen()
      const state = await server.snapshot()
      const env = { SERVICE_URL: `${url}/api/v1`, SERVICE_TOKEN: token, SERVICE_WORKSPACE: String(workspace_id) }
      const next = await startNext(env)
      await use({ server, state, baseURL: next.url })
      await next.stop()
      await server.close()
    },
    { scope: 'worker' },
  ],
  server: async ({ worker }, use) => {
    await worker.server.restore(worker.state)
    await use(worker.server)
  },
  baseURL: async ({ worker }, use) => use(worker.baseURL),
})

/** The built application on a free port. */
async function startNext(env) {
  const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '--port', '0'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/localhost:\d+/.exec(line)?.[0]
    if (url === undefined) continue
    child.stdout.resume()
    return {
      url,
      async stop() {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      },
    }
  }
  throw new Error('Next ended before it was ready.')
}
