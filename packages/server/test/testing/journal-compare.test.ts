import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type Har } from '../../src/testing/entries/testing.ts'
import { call, seedWorkspace } from '../workspace.ts'

async function start() {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z' })
  onTestFinished(() => server.close())
  const { workspace, token } = await seedWorkspace(server)
  return { server, token, workspace: workspace.id, path: `/api/v1/workspaces/${workspace.id}/tickets` }
}

/** What a proxy records between an application and another platform. */
async function record(): Promise<Har> {
  const { server, path, token } = await start()
  await call(server, { method: 'POST', path, token, body: { title: 'Printer', tags: ['office'] } })
  await call(server, { method: 'GET', path, token })
  await call(server, { method: 'POST', path, token, body: { priority: 'high' } })
  await call(server, { method: 'GET', path: '/healthz' })
  return JSON.parse(JSON.stringify(server.journal.toHAR()))
}

interface Entry {
  readonly request: { url: string; headers: { name: string; value: string }[] }
  readonly response: { status: number; headers: { name: string; value: string }[]; content: { text: string } }
}
const entryOf = (har: Har, index: number) => har.log.entries[index] as Entry

test('a platform that answers alike has no differences, and nothing changes here', async () => {
  const { server, token, workspace } = await start()
  const before = server.journal.entries().length
  const har = await record()
  // The recorded platform has another address and another workspace.
  for (const [index] of har.log.entries.entries()) {
    const { request } = entryOf(har, index)
    request.url = request.url.replace(
      /^http:\/\/[^/]+\/api\/v1\/workspaces\/\d+/,
      'https://api.example.com/api/v1/workspaces/977',
    )
  }
  expect(await server.journal.compareWith(har, { workspace, token })).toEqual({
    compared: 3,
    skipped: [{ request: 'GET /healthz', reason: 'it is no request to the REST API or an inbound webhook' }],
    differences: [],
  })
  expect(server.journal.entries()).toHaveLength(before)
  expect((await server.admin.tickets.list({ workspace })).data).toEqual([])
})

test('another status, header, type, or field is a difference, without recorded values', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  const [created, listed, refused] = [0, 1, 2].map((index) => entryOf(har, index).response)
  if (created === undefined || listed === undefined || refused === undefined) throw new Error('A request is missing.')
  const ticket = JSON.parse(created.content.text)
  created.content.text = JSON.stringify({ data: { ...ticket.data, title: 7, private_note: 'the secret plan' } })
  created.headers.push({ name: 'Location', value: '/tickets/1' })
  const list = JSON.parse(listed.content.text)
  listed.content.text = JSON.stringify({
    ...list,
    data: list.data.map(({ priority: _, ...row }: { priority: unknown }) => row),
  })
  refused.status = 400

  const { differences } = await server.journal.compareWith(har, { workspace, token })
  const [post, get] = ['POST', 'GET'].map((method) => `${method} /api/v1/workspaces/${workspace}/tickets`)
  expect(differences).toEqual([
    { request: post, part: 'header', path: 'location', recorded: 'present', here: 'missing' },
    { request: post, part: 'body', path: '$.data.title', recorded: 'number', here: 'string' },
    { request: post, part: 'body', path: '$.data.private_note', recorded: 'string', here: 'missing' },
    { request: get, part: 'body', path: '$.data[].priority', recorded: 'missing', here: 'string' },
    { request: post, part: 'status', path: '', recorded: '400', here: '422' },
  ])
  expect(JSON.stringify(differences)).not.toContain('secret plan')
})

test('what a browser records besides is skipped', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  const { request, response } = entryOf(har, 1)
  request.headers.push({ name: ':authority', value: 'api.example.com' }, { name: 'cookie', value: 'a=ü😀' })
  response.headers.push({ name: 'set-cookie', value: 'a=1\nb=2' })
  const preflight = { request: { ...request, method: 'OPTIONS' }, response: { ...response, status: 204 } }
  const image = { request: { ...request, url: 'data:image/png;base64,AA' }, response }
  const unknown = { request: { ...request, url: `${request.url}/1/history` }, response }
  const entries = [preflight, image, unknown, entryOf(har, 0), entryOf(har, 1)]
  const result = await server.journal.compareWith({ log: { ...har.log, entries } }, { workspace, token })
  expect([result.compared, result.skipped.length, result.differences]).toEqual([2, 3, []])
})

test('a failure of the recorded platform is skipped, and what is no HAR is refused', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  entryOf(har, 0).response.status = 503
  entryOf(har, 1).response.status = 0
  const { compared, skipped } = await server.journal.compareWith(har, { workspace, token })
  expect([compared, skipped.map(({ reason }) => reason)]).toEqual([
    1,
    ['its answer was 503', 'it has no answer', 'it is no request to the REST API or an inbound webhook'],
  ])
  await expect(server.journal.compareWith({} as Har, { workspace, token })).rejects.toThrow(
    '`compareWith` takes a parsed HAR: an object with `log.entries`, such as JSON.parse(text).',
  )
  await expect(server.journal.compareWith(har, { workspace, tokn: token } as never)).rejects.toThrow('token')
})
