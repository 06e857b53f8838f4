import { Agent, request } from 'node:http'
import { createClient } from '@service/client'
import { webhookSecretHeader } from '@service/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createForkRoutes } from '../../src/testing/control-api/fork-routes.ts'
import { createForkTree } from '../../src/testing/control-api/fork-tree.ts'
import { createTestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'

const adminToken = 'test-controls-admin-token'
const hourMs = 60 * 60 * 1000

interface Fork {
  readonly id: number
  readonly url: string
  readonly base_url: string
  readonly webhook_base_url: string
  readonly test_url: string
}

/** A double that listens on one port, as for tests in another process. */
async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({
    seed: 'demo',
    clock: '2026-01-01T00:00:00Z',
    testControls: true,
    adminToken,
    ...options,
  })
  onTestFinished(() => server.close())
  const { url } = await server.listen()
  const testUrl = `${url}/admin/v1/test`
  const control = async (method: string, address: string, body: object = {}) => {
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
  }
  const openFork = async (from = testUrl): Promise<Fork> => (await control('POST', `${from}/forks`)).json.data
  const { token = '', workspace = 0 } = server.seeded
  const clientOf = ({ base_url: baseUrl }: Pick<Fork, 'base_url'>) =>
    createClient({ baseUrl, token, workspace, maxRetries: 0 })
  return { server, url, testUrl, control, openFork, clientOf, token, workspace }
}

test('a fork answers on the port of its server, with its own data', async () => {
  const { server, url, openFork, clientOf, workspace } = await start()
  await server.create.ticket({ workspace, title: 'Before the fork' })
  const [one, two] = [await openFork(), await openFork()]
  expect([one.url, two.url]).toEqual([`${url}/forks/1`, `${url}/forks/2`])
  const { ticket_number: number } = await clientOf(one).tickets.create({ title: 'Only in fork 1' })
  const titlesOf = async (fork: Pick<Fork, 'base_url'>) =>
    (await clientOf(fork).tickets.list()).map(({ title }) => title)
  const before = await titlesOf({ base_url: `${url}/api/v1` })
  expect(before[0]).toBe('Before the fork')
  expect(await titlesOf(one)).toEqual(['Only in fork 1', ...before])
  expect(await titlesOf(two)).toEqual(before)
  expect((await clientOf(two).tickets.create({ title: 'Only in fork 2' })).ticket_number).toBe(number)
  expect((await fetch(`${one.url}/livez`)).status).toBe(200)
})

test('the test controls of a fork act on the fork alone', async () => {
  const { server, control, openFork, clientOf, workspace } = await start()
  const fork = await openFork()
  await control('POST', `${fork.test_url}/faults`, { match: { operation: 'tickets.list' }, respond: 503 })
  await control('POST', `${fork.test_url}/clock/advance`, { by: '1h' })
  expect(await clientOf(fork).tickets.list().safe()).toMatchObject({ error: { status: 503 } })
  expect(server.journal.entries()).toEqual([])
  expect(server.clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z')
  const [entry] = (await control('GET', `${fork.test_url}/journal`)).json.data
  expect(entry).toMatchObject({
    path: `/api/v1/workspaces/${workspace}/tickets`,
    fault: 'answer 503',
    transport: 'port',
  })
  expect((await control('POST', `${fork.test_url}/reset`)).status).toBe(204)
  expect((await clientOf(fork).tickets.list()).length).toBeGreaterThan(0)
})

test('bodies, queries, and headers reach a fork unchanged', async () => {
  const { server, openFork, clientOf, workspace, control } = await start()
  const fork = await openFork()
  const title = 'Ölwechsel für den Lieferwagen'
  await clientOf(fork).tickets.create({ title })
  const secret = server.seeded.workspaces[0]?.secrets['errors'] ?? ''
  const sent = await fetch(`${fork.webhook_base_url}/webhooks/${workspace}/errors`, {
    method: 'POST',
    headers: { [webhookSecretHeader]: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'TypeError in checkout', message: 'x is undefined' }),
  })
  expect(sent.status).toBe(200)
  const listed = await control('GET', `${fork.url}/admin/v1/workspaces/${workspace}/tickets?limit=2`)
  expect(listed.json.data).toMatchObject([{ title: 'x is undefined' }, { title }])
})

test('a fork of a fork starts with the state of the fork', async () => {
  const { openFork, clientOf } = await start()
  const parent = await openFork()
  await clientOf(parent).tickets.create({ title: 'In the fork' })
  const child = await openFork(parent.test_url)
  expect(child.url).toBe(`${parent.url}/forks/1`)
  expect((await clientOf(child).tickets.list())[0]?.title).toBe('In the fork')
})

test('the address of a fork starts with publicUrl if it is set', async () => {
  const { openFork } = await start({ publicUrl: 'https://tests.example.com/double/' })
  expect(await openFork()).toMatchObject({ base_url: 'https://tests.example.com/double/forks/1/api/v1' })
})

test.each([
  ['an event', '/inboxes/1/next', { timeout_ms: 10_000 }],
  ['a request', '/wait', { match: { operation: 'tickets.create' }, timeout_ms: 10_000 }],
])('who waits for %s in a fork that closes gets 404', async (_, path, body) => {
  const { server, control, testUrl, openFork } = await start()
  const fork = await openFork()
  await control('POST', `${fork.test_url}/inboxes`)
  const waiting = control('POST', `${fork.test_url}${path}`, body)
  await control('GET', `${fork.test_url}/clock`) // after the waiting call has arrived
  expect((await control('DELETE', `${testUrl}/forks/${fork.id}`)).status).toBe(204)
  expect(await waiting).toEqual({
    status: 404,
    json: { message: 'There is no fork "1". It was closed, or it was unused for an hour.' },
  })
  await server.close()
})

test('a closed fork ends its hanging requests and answers 404', async () => {
  const { control, testUrl, openFork, token } = await start()
  const fork = await openFork()
  await control('POST', `${fork.test_url}/faults`, { connection: 'hang' })
  const hanging = fetch(`${fork.url}/livez`)
  hanging.catch(() => undefined)
  await expect
    .poll(async () => (await control('GET', `${fork.test_url}/faults`)).json.data)
    .toMatchObject([{ hits: 1 }])
  expect((await control('DELETE', `${testUrl}/forks/${fork.id}`)).status).toBe(204)
  await expect(hanging).rejects.toThrow('fetch failed')
  const headers = { authorization: `Bearer ${token}` }
  const closed = await fetch(`${fork.base_url}/workspaces/1/tickets`, { headers })
  expect([closed.status, await closed.json()]).toEqual([
    404,
    { message: 'There is no fork "1". It was closed, or it was unused for an hour.' },
  ])
  expect((await control('DELETE', `${testUrl}/forks/${fork.id}`)).status).toBe(404)
})

test('a closed fork ends requests whose body never ends', async () => {
  const { control, testUrl, openFork, token } = await start()
  const fork = await openFork()
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  const sending = fetch(`${fork.base_url}/workspaces/1/tickets`, init)
  sending.catch(() => undefined)
  await expect.poll(async () => (await control('GET', `${fork.test_url}/journal`)).json.data).toHaveLength(1)
  expect((await control('DELETE', `${testUrl}/forks/${fork.id}`)).status).toBe(204)
  await expect(sending).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } })
})

test('closing a fork reports its contract violations', async () => {
  const { server, control, testUrl, openFork, token, workspace } = await start({ contract: 'throw' })
  const headers = { authorization: `Bearer ${token}` }
  const fork = await openFork()
  await fetch(`${fork.base_url}/workspaces/${workspace}/nothing`, { headers })
  expect(await control('DELETE', `${testUrl}/forks/${fork.id}`)).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('The contract has no GET') },
  })
  expect((await fetch(`${fork.url}/livez`)).status).toBe(404)
  const other = await openFork()
  await fetch(`${other.base_url}/workspaces/${workspace}/nothing`, { headers })
  await server.close()
})

test('a body that a fork refuses leaves the connection usable', async () => {
  const { openFork, token, workspace } = await start({ contract: 'off' })
  const { base_url: baseUrl, url } = await openFork()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const send = (method: string, address: string, body = '') =>
    new Promise<number | undefined>((resolve, reject) => {
      const sending = request(address, { method, headers, agent }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      )
      sending.on('error', reject).end(body)
    })
  const large = JSON.stringify({ title: 'x'.repeat(2_000_000) })
  expect(await send('POST', `${baseUrl}/workspaces/${workspace}/tickets`, large)).toBe(413)
  expect(await send('GET', `${url}/livez`)).toBe(200)
})

test('closing the server ends the hanging requests of its forks', async () => {
  const { server, control, openFork } = await start()
  const fork = await openFork()
  await control('POST', `${fork.test_url}/faults`, { connection: 'hang' })
  const hanging = fetch(`${fork.url}/livez`)
  hanging.catch(() => undefined)
  await expect
    .poll(async () => (await control('GET', `${fork.test_url}/faults`)).json.data)
    .toMatchObject([{ hits: 1 }])
  await server.close()
  await expect(hanging).rejects.toThrow('fetch failed')
})

/** Forks of servers that a test need not start. */
function forksAt(clock: { nowMs: number }) {
  const closed: string[] = []
  const forks = createForkRoutes({
    tree: createForkTree(),
    stopwatchMs: () => clock.nowMs,
    open: async (url) => ({ close: async () => void closed.push(url), answer: () => new Response(url) }),
  })
  return { forks, closed }
}

test('at most 100 forks are open, forks of forks included', async () => {
  const { control, openFork, testUrl } = await start({ seed: 'empty' })
  const first = await openFork()
  const opened = await Promise.all(
    Array.from({ length: 100 }, (_, index) => control('POST', `${index % 2 === 0 ? testUrl : first.test_url}/forks`)),
  )
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(99)
  for (const at of [testUrl, first.test_url]) {
    expect(await control('POST', `${at}/forks`)).toMatchObject({
      status: 409,
      json: {
        message: expect.stringMatching(
          /^100 forks are open, which is the limit of a server and all forks below it\. Close those of finished workers: DELETE/,
        ),
      },
    })
  }
  // With the first one, those below it close.
  expect((await control('DELETE', `${testUrl}/forks/${first.id}`)).status).toBe(204)
  expect((await control('POST', `${testUrl}/forks`)).status).toBe(200)
  const { openapi, servers } = (await control('GET', `${(await openFork()).test_url}/openapi.json`)).json
  expect([openapi, servers]).toMatchObject(['3.1.0', [{ url: expect.stringMatching(/^http:.*\/forks\/\d+$/) }]])
})

test('a fork that was unused for an hour closes when the next one opens', async () => {
  const clock = { nowMs: 0 }
  const { forks, closed } = forksAt(clock)
  await forks.open('http://localhost')
  await forks.open('http://localhost')
  clock.nowMs = hourMs
  const asked = await forks.answer(new Request('http://localhost/forks/2/livez'))
  expect(await asked.text()).toBe('http://localhost/forks/2')
  clock.nowMs = hourMs + 1
  await forks.open('http://localhost')
  expect(closed).toEqual(['http://localhost/forks/1'])
  expect((await forks.answer(new Request('http://localhost/forks/1/livez'))).status).toBe(404)
})
