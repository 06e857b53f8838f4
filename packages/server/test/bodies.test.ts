import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { successStatus } from '@service/contract'
import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { eventsOf, seedForEveryRoute, writingRequests } from './sample-requests.ts'
import { call, queued, seedWorkspace } from './workspace.ts'

const limit = 1024 * 1024
const adminToken = 'admin-token-for-tests'
const tooLarge = { message: `The request body must not be larger than ${limit} bytes.` }
const notJson = {
  message: 'The request body must be valid JSON in UTF-8.',
  errors: { body: ['The request body must be valid JSON in UTF-8.'] },
}

onEveryStore('every writing route', (start) => {
  test('returns 413 for a body over 1 MiB and accepts one of exactly 1 MiB', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    for (const { route, method, path, body } of writingRequests(workspace.id)) {
      const fitting = JSON.stringify({ ...body, padding: '' })
      const padded = (bytes: number) => fitting.replace('""}', `"${'x'.repeat(bytes - fitting.length)}"}`)
      const refused = await call(server, { method, path, token, body: padded(limit + 1) })
      expect([refused.status, refused.body]).toEqual([413, tooLarge])
      expect((await call(server, { method, path, token, body: padded(limit) })).status).toBe(successStatus(route))
    }
    expect(await queued(server, workspace)).toHaveLength(eventsOf(writingRequests(workspace.id)).length)
  })

  test('returns 415 for other content types than JSON and for a missing body', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json', '']
    for (const { method, path, body } of writingRequests(workspace.id)) {
      for (const type of types) {
        const answer = await call(server, { method, path, token, body, headers: { 'content-type': type } })
        expect([type, answer.status]).toEqual([type, 415])
        expect(answer.body).toEqual({
          message: 'Send the request body as JSON with the header Content-Type: application/json.',
        })
      }
      expect((await call(server, { method, path, token })).status).toBe(415)
    }
    expect(await queued(server, workspace)).toEqual([])
  })

  test('accepts JSON with a charset or suffix in its content type, and with a byte order mark', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const request = { method: 'POST', path: `/api/v1/workspaces/${workspace.id}/tickets`, token }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.acme+json']) {
      const body = { title: 'Broken' }
      expect((await call(server, { ...request, body, headers: { 'content-type': type } })).status).toBe(201)
    }
    expect((await call(server, { ...request, body: '\uFEFF{"title":"Broken"}' })).status).toBe(201)
  })

  test('returns 422 for malformed JSON and invalid UTF-8', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const bodies = [
      '{',
      '{"title":"Broken"',
      "{'title':'Broken'}",
      '{"title":"Broken",}',
      'title=Broken',
      'NaN',
      Uint8Array.from(Buffer.from('{"title":"Br\xf6ken"}', 'latin1')),
      Uint8Array.from([0x22, 0xc0, 0x80, 0x22]),
      Uint8Array.from(Buffer.from('{"title":"Broken"}', 'utf16le')),
    ]
    const headers = { 'content-type': 'application/json' }
    for (const { method, path } of writingRequests(workspace.id)) {
      for (const body of bodies) {
        const answer = await call(server, { method, path, token, body, headers })
        expect([answer.status, answer.body]).toEqual([422, notJson])
      }
    }
    const empty = await call(server, {
      method: 'POST',
      path: `/api/v1/workspaces/${workspace.id}/tasks`,
      token,
      headers,
    })
    expect([empty.status, empty.body]).toEqual([422, notJson])
    expect(await queued(server, workspace)).toEqual([])
  })

  test('returns 422 for JSON that is not an object', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    for (const { method, path } of writingRequests(workspace.id)) {
      for (const body of ['[]', '[{"title":"Broken"}]', '"Broken"', '7', 'true']) {
        const answer = await call(server, { method, path, token, body })
        expect([body, answer.status]).toEqual([body, 422])
        expect(answer.body.errors).toEqual({ body: ['The body field must be an object.'] })
      }
      const answer = await call(server, { method, path, token, body: 'null' })
      expect(answer.body.errors).toEqual({ body: ['The body field is required.'] })
    }
  })
})

onEveryStore('a compressed body', (start) => {
  const compress = (text: string): readonly (readonly [string, Uint8Array])[] => [
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate, gzip', gzipSync(deflateSync(text))],
    ['identity, br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
  ]
  const hold = async (transport: string) => {
    const server = await start({ adminToken })
    const inProcess = (path: string, init: RequestInit) => server.fetch(`https://desk.example${path}`, init)
    if (transport === 'in process') return { server, send: inProcess }
    const { url } = await server.listen()
    return { server, send: (path: string, init: RequestInit) => fetch(url + path, init) }
  }
  /** Sends a POST with a compressed body and returns the status, the message, and `Accept-Encoding`. */
  const post = async (
    send: (path: string, init: RequestInit) => Promise<Response>,
    { path, token, coding, body }: { path: string; token?: string; coding: string; body: Uint8Array },
  ) => {
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { ...authorization, 'content-type': 'application/json', 'content-encoding': coding }
    const response = await send(path, { method: 'POST', headers, body: new Uint8Array(body) })
    const { message } = await response.json()
    return [response.status, message, response.headers.get('accept-encoding')]
  }

  test.each(['in process', 'over a port'])('is read on every surface, %s', async (transport) => {
    const { server, send } = await hold(transport)
    const { workspace, token } = await seedWorkspace(server)
    const { secret = '' } = await server.admin.integrations.rotateSecret({
      workspace: workspace.id,
      integration: 'errors',
    })
    await server.admin.integrations.update({ workspace: workspace.id, integration: 'errors' }, { enabled: true })
    for (const [coding, body] of compress(JSON.stringify({ title: 'Packed' }))) {
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      expect([coding, ...(await post(send, { path, token, coding, body }))]).toEqual([coding, 201, undefined, null])
    }
    for (const [coding, body] of compress(JSON.stringify({ name: 'Packed' }))) {
      const admin = { path: '/admin/v1/workspaces', token: adminToken, coding, body }
      expect([coding, ...(await post(send, admin))]).toEqual([coding, 201, undefined, null])
    }
    for (const [coding, body] of compress(JSON.stringify({ message: 'Packed' }))) {
      const headers = { 'x-service-webhook-secret': secret, 'content-encoding': coding }
      const path = `/api/webhooks/${workspace.id}/errors`
      const { status } = await send(path, { method: 'POST', headers, body: new Uint8Array(body) })
      expect([coding, status]).toEqual([coding, 200])
    }
    const titles = (await server.admin.tickets.list({ workspace: workspace.id })).data.map(({ title }) => title)
    expect(titles.filter((title) => title === 'Packed').length).toBeGreaterThanOrEqual(9)
  })

  test.each(['in process', 'over a port'])('is refused if it expands beyond the limit, %s', async (transport) => {
    const { server, send } = await hold(transport)
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const beyond = `The decompressed request body must not be larger than ${limit} bytes.`
    const fitting = `{"title":"${'x'.repeat(limit - 12)}"}`
    const before = process.memoryUsage().rss
    for (const [coding, body] of compress(`${fitting} `).slice(0, 7))
      expect([coding, ...(await post(send, { path, token, coding, body }))]).toEqual([coding, 413, beyond, null])
    for (const [coding, body] of compress(fitting).slice(0, 7))
      expect((await post(send, { path, token, coding, body }))[0]).toBe(422) // its title is too long
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    expect((await post(send, { path, token, coding: 'gzip', body: bomb }))[0]).toBe(413)
    expect((await post(send, { path, token, coding: 'gzip, gzip', body: gzipSync(bomb) }))[0]).toBe(413)
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
    expect(await queued(server, workspace)).toEqual([])
  })

  test.each(['in process', 'over a port'])(
    'with another coding is 415 and names those that are read, %s',
    async (transport) => {
      const { server, send } = await hold(transport)
      const { workspace, token } = await seedWorkspace(server)
      const unknown = [
        'zstd',
        'compress',
        'aws-chunked',
        'gzip, zstd',
        'gzip, gzip, gzip',
        'gzip;q=1',
        'constructor',
        '*',
      ]
      const paths = [`/api/v1/workspaces/${workspace.id}/tickets`, `/admin/v1/workspaces`]
      for (const coding of unknown) {
        for (const [index, path] of paths.entries()) {
          const key = index === 0 ? token : adminToken
          const refused = await post(send, { path, token: key, coding, body: gzipSync('{"title":"a"}') })
          expect([coding, ...refused]).toEqual([
            coding,
            415,
            expect.stringContaining('Content-Encoding'),
            'gzip, deflate, br',
          ])
        }
      }
    },
  )

  test.each(['in process', 'over a port'])('that does not match its Content-Encoding is 422, %s', async (transport) => {
    const { server, send } = await hold(transport)
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const whole = gzipSync(JSON.stringify({ title: 'x'.repeat(200) }))
    for (const coding of ['gzip', 'deflate', 'br', 'gzip, br'])
      for (const body of [Buffer.from('{"title":"plain"}'), whole.subarray(0, -9), Buffer.from([0])])
        expect((await post(send, { path, token, coding, body }))[0]).toBe(422)
    expect(await queued(server, workspace)).toEqual([])
  })
})
