import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { environmentFor } from './compose.ts'
import { startProxy } from './proxy.ts'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url))

/** Starts the server as the Compose file does, except for Docker's network, volume, and port. */
async function start() {
  const data = await mkdtemp(join(tmpdir(), 'behind-a-proxy-'))
  const port = await freePort()
  const env = {
    ...environmentFor('desk.example.com'),
    PATH: process.env['PATH'],
    SERVICE_TRUSTED_PROXIES: '127.0.0.1',
    SERVICE_DATA: data,
    SERVICE_PORT: `${port}`,
    SERVICE_RATE_LIMIT: '2',
    SERVICE_LOG: 'off',
  }
  const child = spawn(process.execPath, [cli, 'start', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  // Wait for the line that reports readiness. Its URL is that of the proxy.
  await once(createInterface(child.stdout), 'line')
  child.stdout.resume()
  const proxy = await startProxy(`http://127.0.0.1:${port}`)
  onTestFinished(async () => {
    proxy.close()
    if (child.exitCode === null) child.kill('SIGKILL')
    await rm(data, { recursive: true, force: true, maxRetries: 10 })
  })
  const request = async (visitor: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${proxy.url}/api/v1/workspaces/1/tickets`, {
      headers: { 'x-visitor': visitor, ...headers },
    })
    return response.status
  }
  return { child, env, proxyUrl: proxy.url, request }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('the health check of the image passes, and the server is ready behind the proxy', async () => {
  const { env, proxyUrl } = await start()
  await run(process.execPath, [cli, 'healthcheck'], { env })
  expect((await fetch(`${proxyUrl}/readyz`)).status).toBe(200)
})

test('each visitor has a separate rate limit and cannot fake another address', async () => {
  const { request } = await start()
  expect([await request('203.0.113.7'), await request('203.0.113.7'), await request('203.0.113.7')]).toEqual([
    401, 401, 429,
  ])
  expect(await request('203.0.113.7', { 'x-forwarded-for': '203.0.113.99' })).toBe(429)
  expect(await request('203.0.113.8')).toBe(401)
})

test('it shuts down cleanly when Docker stops it', async () => {
  const { child } = await start()
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
