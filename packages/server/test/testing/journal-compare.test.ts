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

const elsewhere = 'it is not a request to the REST API or an inbound webhook'

interface Entry {
  readonly request: {
    url: string
    headers: { name: string; value: string }[]
    postData?: { mimeType?: string; text?: string; params?: { name: string; value: string }[] }
  }
  readonly response: {
    status: number
    headers: { name: string; value: string }[]
    content: { size: number; text?: string }
  }
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
    skipped: [{ request: 'GET https://service.test', reason: elsewhere }],
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
  const ticket = JSON.parse(created.content.text ?? '')
  created.content.text = JSON.stringify({ data: { ...ticket.data, title: 7, private_note: 'the secret plan' } })
  created.headers.push({ name: 'Location', value: '/tickets/1' })
  const list = JSON.parse(listed.content.text ?? '')
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

test('of a request elsewhere only the origin is shown, because its path may be a secret', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  const entry = entryOf(har, 0)
  const elsewhereUrls = [
    'https://hooks.example.com/services/T000/B000/XXSECRET?key=XXSECRET',
    'https://chat.example.com/api/webhooks/977/XXSECRET',
    'data:text/plain,XXSECRET',
  ]
  const entries = elsewhereUrls.map((url) => ({ ...entry, request: { ...entry.request, url } }))
  const all = { log: { ...har.log, entries: [...entries, entry] } }
  const { skipped } = await server.journal.compareWith(all, { workspace, token })
  expect(skipped.map(({ request }) => request)).toEqual([
    'POST https://hooks.example.com',
    'POST https://chat.example.com',
    'POST data:',
  ])
  await expect(server.journal.compareWith({ log: { ...har.log, entries } }, { workspace, token })).rejects.toThrow(
    `\`compareWith\` compared none of the 3 recorded requests. Reasons: ${elsewhere}.`,
  )
})

test('the copy answers more requests than the rate limit, with the headers of the limit', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  const entries = Array.from({ length: 130 }, () => entryOf(har, 0))
  expect(await server.journal.compareWith({ log: { ...har.log, entries } }, { workspace, token })).toEqual({
    compared: 130,
    skipped: [],
    differences: [],
  })
})

test('a recorded body that is missing or cut off is listed', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  const [created, listed] = [entryOf(har, 0).response.content, entryOf(har, 1).response.content]
  delete created.text
  listed.text = (listed.text ?? '').slice(0, -5)
  const { compared, skipped, differences } = await server.journal.compareWith(har, { workspace, token })
  const path = `/api/v1/workspaces/${workspace}/tickets`
  expect([compared, differences]).toEqual([3, []])
  expect(skipped.slice(0, 2)).toEqual([
    { request: `POST ${path}`, reason: 'its recorded body is missing' },
    { request: `GET ${path}`, reason: 'its recorded body is cut off or not JSON' },
  ])
})

test('the token is sent where one was recorded and accepted', async () => {
  const { server, path } = await start()
  await call(server, { method: 'GET', path })
  await call(server, { method: 'GET', path, token: 'revoked' })
  const har = server.journal.toHAR()
  const other = await start()
  const { workspace, token } = other
  const refused = har.log.entries.slice(-2)
  const result = await other.server.journal.compareWith({ log: { ...har.log, entries: refused } }, { workspace, token })
  expect(result).toEqual({ compared: 2, skipped: [], differences: [] })
  // A platform that needs no authorization differs.
  const open = structuredClone({ log: { ...har.log, entries: refused } })
  entryOf(open, 0).response.status = 200
  const { differences } = await other.server.journal.compareWith(open, { workspace, token })
  expect(differences).toMatchObject([{ part: 'status', recorded: '200', here: '401' }])
})

test('a content type that is recorded only with the body is sent', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  const { request } = entryOf(har, 0)
  request.headers = request.headers.filter(({ name }) => name !== 'content-type')
  const { differences } = await server.journal.compareWith(har, { workspace, token })
  expect([request.postData?.mimeType, differences]).toEqual(['application/json', []])
})

async function startWithInbound() {
  const { server, token, workspace } = await start()
  const { integrations, leadSources } = server.admin
  await integrations.update({ workspace, integration: 'errors' }, { enabled: true })
  await leadSources.update({ workspace, source: 'website' }, { enabled: true })
  const errors = await integrations.rotateSecret({ workspace, integration: 'errors' })
  const website = await leadSources.rotateSecret({ workspace, source: 'website' })
  const [errorsPath, leadsPath] = [`/api/webhooks/${workspace}/errors`, `/api/webhooks/${workspace}/leads/website`]
  const headersOf: Readonly<Record<string, { 'x-service-webhook-secret': string }>> = {
    [`POST ${errorsPath}`]: { 'x-service-webhook-secret': errors.secret },
    [`POST ${leadsPath}`]: { 'x-service-webhook-secret': website.secret },
  }
  return { server, token, workspace, errorsPath, leadsPath, headersOf }
}

test('forms are sent as recorded, and each request may have its own headers', async () => {
  const real = await startWithInbound()
  const bodies = { [real.errorsPath]: { message: 'Boom' }, [real.leadsPath]: { name: 'Ada', email: 'a@b.example' } }
  for (const [path, body] of Object.entries(bodies))
    await call(real.server, { method: 'POST', path, body, headers: real.headersOf[`POST ${path}`] ?? {} })
  const har: Har = JSON.parse(JSON.stringify(real.server.journal.toHAR()))
  const requests = [0, 1].map((index) => entryOf(har, index).request)
  for (const request of requests) request.headers = request.headers.filter(({ name }) => name !== 'content-type')
  const [report] = requests
  if (report !== undefined) report.postData = { params: [{ name: 'message', value: 'Boom & more' }] }

  const { server, token, workspace, headersOf } = await startWithInbound()
  const result = await server.journal.compareWith(har, {
    workspace,
    token,
    headers: ({ method, path }) => headersOf[`${method} ${path}`],
  })
  expect(result).toEqual({ compared: 2, skipped: [], differences: [] })
})

test('an entry that cannot be read is named', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  const { request, response } = entryOf(har, 0)
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const compareEntry = (entry: object) =>
    server.journal.compareWith({ log: { ...har.log, entries: [entryOf(har, 0), entry] } }, { workspace, token })
  await expect(compareEntry({ request })).rejects.toThrow(
    new TypeError('Entry 2 of the archive has no valid response.'),
  )
  await expect(compareEntry({ request: { ...request, url: '/tickets' }, response })).rejects.toThrow(
    new TypeError('Entry 2 of the archive has no valid request.url.'),
  )
  await expect(compareEntry({ request, response: { ...response, content: { text: deep } } })).rejects.toThrow(
    new TypeError('Entry 2 of the archive has a body that is nested too deeply.'),
  )
})

test('a failure of the recorded platform is skipped, and what is no HAR is refused', async () => {
  const { server, token, workspace } = await start()
  const har = await record()
  entryOf(har, 0).response.status = 503
  entryOf(har, 1).response.status = 0
  const { compared, skipped } = await server.journal.compareWith(har, { workspace, token })
  expect([compared, skipped.map(({ reason }) => reason)]).toEqual([
    1,
    ['its answer was 503', 'it has no answer', elsewhere],
  ])
  await expect(server.journal.compareWith({} as Har, { workspace, token })).rejects.toThrow(
    '`compareWith` takes a parsed HAR: an object with `log.entries`, such as JSON.parse(text).',
  )
  await expect(server.journal.compareWith(har, { workspace, tokn: token } as never)).rejects.toThrow('token')
  for (const wrong of [undefined, 0, Number.NaN, '1']) {
    await expect(server.journal.compareWith(har, { workspace: wrong, token } as never)).rejects.toThrow(
      new TypeError('`compareWith` needs `workspace`, the id of a workspace of this server.'),
    )
  }
})
