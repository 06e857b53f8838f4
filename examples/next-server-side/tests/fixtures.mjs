import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test as base } from '@playwright/test'
import { createTestServer } from '@service/server/testing'

/**
 * The browser cannot intercept requests that the application makes on its server. So each worker starts a platform on a port
 * and a Next.js server that uses it, and every test starts with the same state.
 */
export const test = base.extend({
  worker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructured first argument
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

/** Starts the built application on a free port. */
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
        const exited = once(child, 'exit')
        child.kill()
        await exited
      },
    }
  }
  throw new Error('Next.js exited before it was ready.')
}
