import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { startServer } from '../src/server.ts'
import { createTestServer, type TestServerOptions } from '../src/testing/entries/testing.ts'

const adminToken = 'admin-token-for-tests'
const headers = { authorization: `Bearer ${adminToken}` }

/** Sends a request with a chosen Host header, which `fetch` does not allow. */
function requestAs(url: string, host: string, path: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request(new URL(path, url), { headers: { ...headers, host } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }))
    })
      .on('error', reject)
      .end()
  })
}

const startDouble = async (options: TestServerOptions) =>
  listening(await createTestServer({ adminToken, testControls: true, ...options }))

async function listening(server: Server) {
  onTestFinished(() => server.close())
  const { url, port } = await server.listen()
  const statusAs = async (host: string, path = '/admin/v1/test/clock') => (await requestAs(url, host, path)).status
  return { server, url, port, statusAs }
}

test('a web page cannot reach the test controls through its own host name', async () => {
  const { url, port, statusAs } = await startDouble({})
  for (const name of ['localhost', 'LOCALHOST', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
    expect([name, await statusAs(name)]).toEqual([name, 200])
  for (const name of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
    expect([name, await statusAs(name)]).toEqual([name, 403])
  expect(JSON.parse((await requestAs(url, 'evil.example', '/openapi.json')).text).message).toBe(
    'The Host header "evil.example" is not allowed. If it names this server, add it to allowedHosts (SERVICE_ALLOWED_HOSTS).',
  )
})

test('a test double also accepts the host names of publicUrl and allowedHosts', async () => {
  const { statusAs } = await startDouble({
    publicUrl: 'https://service.example/base',
    allowedHosts: 'platform, 10.1.2.3,::2',
  })
  for (const name of ['service.example', 'platform:8080', '10.1.2.3', '[::2]:80'])
    expect([name, await statusAs(name)]).toEqual([name, 200])
  expect(await statusAs('other.example')).toBe(403)
})

test('a demo accepts only its own host names, except for health checks', async () => {
  const { statusAs } = await listening((await startServer({ adminToken }, { isDemo: true })).server)
  expect(await statusAs('localhost', '/openapi.json')).toBe(200)
  expect(await statusAs('evil.example', '/openapi.json')).toBe(403)
  expect(await statusAs('evil.example', '/api/v1/workspaces/1/tickets')).toBe(403)
  expect([await statusAs('pod-7', '/livez'), await statusAs('pod-7', '/readyz')]).toEqual([200, 200])
})

test('a hosted server accepts any host name, and so do in-process calls', async () => {
  const { statusAs } = await listening(await createServer({ adminToken, publicUrl: 'https://service.example' }))
  expect(await statusAs('anything.example', '/openapi.json')).toBe(200)
  const { server } = await startDouble({})
  expect((await server.fetch('http://anything.example/admin/v1/test/clock', { headers })).status).toBe(200)
})
