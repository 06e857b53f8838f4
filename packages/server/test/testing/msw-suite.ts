// MSW patches the module's object; a named import would keep what was there before.
import https, { Agent } from 'node:https'
import { gzipSync } from 'node:zlib'
import axios from 'axios'
import got from 'got'
import ky from 'ky'
import type { RequestHandler } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { mswHandlers } from '../../src/testing/entries/msw.ts'
import { createTestServer, type TestServer } from '../../src/testing/entries/testing.ts'
import { startReceiver } from '../delivery/receiver.ts'

/** The common interface of both majors of MSW. */
export interface Msw {
  /** Starts intercepting. Unhandled requests fail. */
  listen(): void
  close(): void
  use(...handlers: RequestHandler[]): void
  resetHandlers(): void
  boundary<Result>(act: () => Promise<Result>): () => Promise<Result>
}

const origin = 'https://api.example.com'
const other = 'https://other.example.com'

interface ClientRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

interface ClientResponse {
  readonly status: number
  readonly body: unknown
}

type Client = (request: ClientRequest) => Promise<ClientResponse>

const parsed = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

const byHttps =
  (agent?: Agent): Client =>
  ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      const sending = https.request(url, { method, headers: headers ?? {}, agent: agent ?? false }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks).toString()) }),
        )
      })
      sending.on('error', reject)
      sending.end(body)
    })

const byAxios =
  (adapter: 'http' | 'fetch'): Client =>
  async ({ body, ...sent }) => {
    const { status, data } = await axios({
      ...sent,
      ...(body === undefined ? {} : { data: body }),
      adapter,
      validateStatus: () => true,
    })
    return { status, body: data }
  }

const clients: Readonly<Record<string, Client>> = {
  fetch: async ({ url, ...sent }) => {
    const response = await fetch(url, sent)
    return { status: response.status, body: parsed(await response.text()) }
  },
  ky: async ({ url, ...sent }) => {
    const response = await ky(url, { ...sent, throwHttpErrors: false, retry: 0 })
    return { status: response.status, body: parsed(await response.text()) }
  },
  'axios over http': byAxios('http'),
  'axios over fetch': byAxios('fetch'),
  got: async ({ url, ...sent }) => {
    const method = sent.method as 'GET' | 'POST' // the two that are sent here
    const response = await got(url, { ...sent, method, throwHttpErrors: false, retry: { limit: 0 } })
    return { status: response.statusCode, body: parsed(response.body) }
  },
  'node:https': byHttps(),
  'node:https that keeps connections': byHttps(new Agent({ keepAlive: true })),
}

async function start() {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', egressAllow: ['127.0.0.1'] })
  onTestFinished(() => server.close())
  const { token, workspace_id } = await server.tokens.issue()
  const path = `/api/v1/workspaces/${workspace_id}/tickets`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const create = (send: Client, title: string, at = origin) =>
    send({ method: 'POST', url: `${at}${path}`, headers, body: JSON.stringify({ title }) })
  const list = (send: Client, at = origin) => send({ method: 'GET', url: `${at}${path}`, headers })
  return { server, workspace_id, create, list }
}

async function titlesOf(listed: Promise<ClientResponse>): Promise<string[]> {
  const { body } = await listed
  return (body as { data: { title: string }[] }).data.map(({ title }) => title) // the contract's list of tickets
}

/** Clients wrap the socket's error, sometimes twice. */
function codesOf(thrown: unknown): unknown[] {
  if (!(thrown instanceof Error)) return []
  return ['code' in thrown ? thrown.code : undefined, ...codesOf(thrown.cause)]
}

/** The tests of `mswHandlers` for one major of MSW. */
export function testHandlers(msw: Msw): void {
  const listen = (server: TestServer, at: string | readonly string[] = origin) => {
    msw.use(...mswHandlers(server, { origin: at }))
    msw.listen()
    onTestFinished(() => {
      msw.close()
      msw.resetHandlers()
    })
  }

  test.each(Object.entries(clients))('responds to %s with stored data and errors', async (_, send) => {
    const { server, create, list } = await start()
    listen(server)
    expect(await create(send, 'Überall 🎫')).toMatchObject({ status: 201, body: { data: { title: 'Überall 🎫' } } })
    expect(await titlesOf(list(send))).toEqual(['Überall 🎫'])
    const refused = await send({ method: 'GET', url: `${origin}/api/v1/workspaces/1/tickets` })
    expect(refused).toEqual({ status: 401, body: { message: 'Unauthenticated.' } })
    expect((await send({ method: 'GET', url: origin })).status).toBe(404)
  })

  test.each(Object.entries(clients))('isolates four concurrent tests of %s', async (_, send) => {
    msw.listen()
    onTestFinished(() => msw.close())
    const one = async (number: number) => {
      const { server, create, list } = await start()
      msw.use(...mswHandlers(server, { origin }))
      await create(send, `${number}a`)
      await create(send, `${number}b`)
      return (await titlesOf(list(send))).toSorted()
    }
    const all = await Promise.all([1, 2, 3, 4].map((number) => msw.boundary(() => one(number))()))
    expect(all).toEqual([1, 2, 3, 4].map((number) => [`${number}a`, `${number}b`]))
  })

  test.each(Object.entries(clients))('gives %s the code of a broken connection', async (_, send) => {
    const { server } = await start()
    listen(server)
    for (const [connection, code] of [
      ['reset', 'ECONNRESET'],
      ['refused', 'ECONNREFUSED'],
      ['dns', 'ENOTFOUND'],
    ] as const) {
      using _fault = server.faults.add({ connection, times: 1 })
      const thrown = await send({ method: 'GET', url: `${origin}/livez` }).catch((fault: unknown) => fault)
      expect(codesOf(thrown)).toContain(code)
    }
  })

  test.each(['fetch', 'axios over http', 'axios over fetch', 'got'])(
    '%s decodes the body of a fault once',
    async (client) => {
      const { server } = await start()
      listen(server)
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      server.faults.add({ respond: () => new Response(gzipSync('{"a":1}'), { headers }) })
      expect(await clients[client]?.({ method: 'GET', url: `${origin}/livez` })).toEqual({
        status: 200,
        body: { a: 1 },
      })
    },
  )

  test.each([{ connection: 'reset-mid-body' }, { damage: 'truncated' }] as const)(
    'breaks within the body of a response: %o',
    async (fault) => {
      const { server } = await start()
      listen(server)
      server.faults.add({ ...fault, times: 1 })
      const response = await fetch(`${origin}/livez`)
      expect(response.status).toBe(200)
      const thrown: unknown = await response.text().catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(TypeError)
      // MSW 3 has no reset: it closes the socket.
      expect(['ECONNRESET', 'UND_ERR_SOCKET']).toContain(codesOf(thrown).at(-1))
    },
  )

  test.each([
    ['reset', 'ECONNRESET'],
    ['close', 'UND_ERR_SOCKET'],
    ['refused', 'ECONNREFUSED'],
    ['dns', 'ENOTFOUND'],
    ['tls', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const)('rejects fetch like a real network: %s', async (connection, code) => {
    const { server } = await start()
    listen(server)
    server.faults.add({ connection, times: 1 })
    const thrown: unknown = await fetch(`${origin}/livez`).catch((fault: unknown) => fault)
    expect(thrown).toBeInstanceOf(TypeError)
    expect(codesOf(thrown)).toContain(code)
    expect(thrown).toHaveProperty('cause.code', code)
  })

  test('handles several origins, and none that look similar', async () => {
    const { server } = await start()
    listen(server, [origin, other])
    const alive = async (at: string) => (await fetch(`${at}/livez`)).status
    expect([await alive(origin), await alive(other), await alive('https://API.example.com:443')]).toEqual([
      200, 200, 200,
    ])
    for (const near of [
      'https://evil-api.example.com',
      'https://api.example.com.evil.test',
      'http://api.example.com',
    ]) {
      await expect(alive(near), near).rejects.toThrow(/fetch failed|Failed to fetch|Cannot bypass/)
    }
  })

  test('passes an abort to the server', async () => {
    const { server } = await start()
    const aborted = Promise.withResolvers<void>()
    listen({
      ...server,
      fetch: (input) => {
        const { signal } = input as Request // MSW hands over requests
        signal.addEventListener('abort', () => aborted.resolve())
        return server.fetch(input)
      },
    })
    server.faults.add({ connection: 'hang', times: 1 })
    await expect(fetch(`${origin}/livez`, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await aborted.promise
  })

  test("never intercepts the platform's deliveries", async () => {
    const { server, workspace_id, create } = await start()
    const receiver = await startReceiver()
    receiver.expects(
      await server.admin.webhooks.create({ workspace: workspace_id }, { url: `${receiver.url}/hook`, events: ['*'] }),
    )
    listen(server)
    await create(clients['node:https'] ?? byHttps(), 'Sent on')
    await fetch(`${origin}/livez`)
    await server.settled()
    expect(receiver.received.map(({ headers }) => headers['x-service-event'])).toEqual(['ticket.created'])
  })

  test('rejects an invalid origin', async () => {
    const { server } = await start()
    expect(() => mswHandlers(server, { origin: 'api.example.com' })).toThrow('An origin is a scheme and a host')
  })
}
