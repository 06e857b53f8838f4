import { createClient } from '@service/client'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { startReceiver } from '../delivery/receiver.ts'

const origin = 'https://api.example.com'

async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', ...options })
  onTestFinished(() => server.close())
  const { token, workspace_id } = await server.tokens.issue()
  const create = (base: string, title: string, fetch: typeof globalThis.fetch | TestServer['fetch'] = server.fetch) =>
    fetch(`${base}/api/v1/workspaces/${workspace_id}/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    })
  const titles = async (base: string, fetch: typeof globalThis.fetch | TestServer['fetch'] = server.fetch) => {
    const response = await fetch(`${base}/api/v1/workspaces/${workspace_id}/tickets`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await response.json()) as { data: { title: string }[] }
    return data.map(({ title }) => title).toSorted()
  }
  return { server, token, workspace_id, create, titles }
}

test('intercepts exactly the named origins until it is disposed', async () => {
  const { server } = await start()
  const plain = globalThis.fetch
  const forwarded: string[] = []
  globalThis.fetch = async (input) => {
    forwarded.push(String(input))
    return new Response('the network')
  }
  onTestFinished(() => {
    globalThis.fetch = plain
  })
  const network = globalThis.fetch
  {
    using _ = server.intercept([origin, 'http://localhost:3000'])
    for (const url of [`${origin}/livez`, 'HTTPS://API.example.com:443/livez', 'http://localhost:3000/livez']) {
      expect((await fetch(url)).status).toBe(200)
    }
    expect((await fetch(new URL('/livez', origin))).status).toBe(200)
    const response = await fetch(new Request(`${origin}/livez`))
    expect(response.url).toBe(`${origin}/livez`)
    // Interceptors, such as those of MSW 2.10, set the URL once more.
    expect(Object.defineProperty(response, 'url', { value: origin }).url).toBe(origin)
    expect(forwarded).toEqual([])
    const others = [
      'https://evil-api.example.com/livez',
      'https://api.example.com.evil.test/livez',
      'http://api.example.com/livez',
      'https://api.example.com:8443/livez',
      'http://localhost:30001/livez',
      'https://api.example.com@evil.test/livez',
    ]
    for (const other of others) expect(await (await fetch(other)).text()).toBe('the network')
    expect(forwarded).toEqual(others)
  }
  expect(globalThis.fetch).toBe(network)
})

test('passes an origin to the latest server, and back when its interception ends', async () => {
  const first = await start()
  const second = await start()
  const other = 'https://other.example.com'
  const outer = first.server.intercept([origin, other])
  const inner = second.server.intercept(origin)
  await second.create(origin, 'second', fetch)
  await first.create(other, 'first', fetch)
  expect(await second.titles(second.server.origin)).toEqual(['second'])
  inner.restore()
  inner.restore()
  expect(await first.titles(origin, fetch)).toEqual(['first'])
  outer.restore()
})

test('ends an interception when the server closes', async () => {
  const before = globalThis.fetch
  const server = await createTestServer()
  server.intercept(origin)
  expect(globalThis.fetch).not.toBe(before)
  await server.close()
  expect(globalThis.fetch).toBe(before)
})

test('keeps a later patch of fetch, and can intercept again beneath it', async () => {
  const { server } = await start()
  const before = globalThis.fetch
  const first = server.intercept(origin)
  const ours = globalThis.fetch
  const theirs: typeof fetch = (...args) => ours(...args)
  globalThis.fetch = theirs
  onTestFinished(() => {
    globalThis.fetch = before
  })
  first.restore()
  expect(globalThis.fetch).toBe(theirs)
  const second = server.intercept(origin)
  expect((await fetch(`${origin}/livez`)).status).toBe(200)
  second.restore()
  expect(globalThis.fetch).toBe(theirs)
})

test('rejects at once when the caller aborts', async () => {
  const { server, create } = await start()
  using _ = server.intercept(origin)
  server.faults.add({ connection: 'hang', times: 2 })
  const controller = new AbortController()
  const aborted = fetch(`${origin}/livez`, { signal: controller.signal })
  controller.abort()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  await expect(fetch(`${origin}/livez`, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await expect(fetch(`${origin}/livez`, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect((await create(origin, 'later', fetch)).status).toBe(201)
})

test.each(['api.example.com', 'https://api.example.com/api', 'ftp://api.example.com', ''])(
  'rejects the invalid origin %j with an example',
  async (text) => {
    const { server } = await start()
    expect(() => server.intercept(text)).toThrow(/An origin is a scheme and a host, e\.g\. https:\/\/api\.example\.com/)
  },
)

test("never intercepts the platform's deliveries, even if fetch is patched", async () => {
  const { server, workspace_id, create } = await start({ egressAllow: ['127.0.0.1'] })
  const receiver = await startReceiver()
  receiver.expects(
    await server.admin.webhooks.create({ workspace: workspace_id }, { url: `${receiver.url}/hook`, events: ['*'] }),
  )
  const plain = globalThis.fetch
  globalThis.fetch = () => Promise.reject(new Error('Unexpected fetch.'))
  onTestFinished(() => {
    globalThis.fetch = plain
  })
  using _ = server.intercept([origin, receiver.url])
  expect((await create(origin, 'Sent on', fetch)).status).toBe(201)
  await server.settled()
  expect(receiver.received.map(({ headers }) => headers['x-service-event'])).toEqual(['ticket.created'])
})

test('handles a client that was created without its own fetch', async () => {
  const { server, token, workspace_id } = await start()
  using _ = server.intercept(origin)
  const client = createClient({ baseUrl: `${origin}/api/v1`, token, workspace: workspace_id })
  expect(await client.tickets.create({ title: 'Hello' })).toMatchObject({ title: 'Hello' })
})
