import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { manualClock } from '../manual-clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { onDisk, startWithTables } from '../tables.ts'
import { call } from '../workspace.ts'
import { everyRow } from './all-rows.ts'
import { enableAll, encryptionKey, inboundOf, siteIn, startOpenSite } from './inbound-site.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

onEveryStore('the body of an error report', (start) => {
  async function startPosting() {
    const site = await startOpenSite(start)
    const path = `/api/webhooks/${site.workspaceId}/errors`
    const secret = { 'x-service-webhook-secret': site.secrets.errors }
    const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      call(site.server, { method: 'POST', path, body, headers: { ...secret, ...headers } })
    const groups = () => site.server.admin.errorReports.list({ workspace: site.workspaceId }).then(({ data }) => data)
    return { ...site, post, groups }
  }

  test('may contain several reports, each of which is counted', async () => {
    const { post, groups } = await startPosting()
    const batch = [{ message: 'one' }, { message: 'two' }, { message: 'one' }]
    expect(await post(JSON.stringify(batch))).toMatchObject({ status: 200, body: { ticket_created: true } })
    expect((await groups()).map(({ message, count }) => [message, count]).toSorted()).toEqual([
      ['one', 2],
      ['two', 1],
    ])
  })

  test('may contain no error, such as an envelope of sessions, and then opens no ticket', async () => {
    const { post, groups } = await startPosting()
    const envelope = '{"event_id":"0123456789abcdef0123456789abcdef"}\n{"type":"session"}\n{"sid":"1","status":"ok"}'
    expect(await post(envelope, { 'content-type': 'application/x-sentry-envelope' })).toMatchObject({
      status: 200,
      body: { received: true, ticket_created: false, ticket_number: null, ticket_id: null },
    })
    expect(await groups()).toEqual([])
  })

  test('may be lines of text, of which only errors open tickets', async () => {
    const { post, groups } = await startPosting()
    const lines = [
      '2026-11-20 10:00:00 ERROR [main] shop.Cart - no cart',
      '10.0.0.1 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"',
      '2026-11-20 10:00:01 INFO [main] shop.Cart - paid',
    ]
    expect(await post(lines.join('\n'), { 'content-type': 'text/plain' })).toMatchObject({
      status: 200,
      body: { ticket_created: true },
    })
    expect((await groups()).map(({ message }) => message)).toEqual(['no cart'])
  })

  test('is refused as MessagePack, with a hint to send JSON', async () => {
    const { post } = await startPosting()
    expect(
      await post(new Uint8Array([0x81, 0xa1, 0x61, 0x01]), { 'content-type': 'application/msgpack' }),
    ).toMatchObject({
      status: 422,
      body: { errors: { body: [expect.stringContaining('Send the reports as JSON')] } },
    })
  })

  test('opens a ticket for a Sentry check-in only if the job failed', async () => {
    const { post, groups } = await startPosting()
    const checkIn = (status: string) =>
      `{"event_id":"1"}\n{"type":"check_in"}\n{"check_in_id":"c","monitor_slug":"backup","status":"${status}"}`
    await post(checkIn('ok'), { 'content-type': 'application/x-sentry-envelope' })
    expect(await groups()).toEqual([])
    expect(await post(checkIn('error'))).toMatchObject({ body: { ticket_created: true } })
    expect((await groups()).map(({ message }) => message)).toEqual(['The job backup failed.'])
  })

  test('may be compressed, with or without a Content-Encoding', async () => {
    const { post, groups } = await startPosting()
    const packed = new Uint8Array(gzipSync(JSON.stringify({ message: 'packed' })))
    expect((await post(packed, { 'content-encoding': 'gzip' })).status).toBe(200)
    expect((await post(packed)).status).toBe(200)
    expect(await groups()).toMatchObject([{ message: 'packed', count: 2 }])
  })

  test('is refused if it decompresses beyond the limit, before it is fully decompressed', async () => {
    const { post, groups } = await startPosting()
    const bomb = new Uint8Array(gzipSync(new Uint8Array(200 * 1024 * 1024)))
    expect(bomb.length).toBeLessThan(1024 * 1024)
    const before = process.memoryUsage().rss
    expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(413)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
    expect(await groups()).toEqual([])
  })

  test.each([
    ['is cut short', '{"message":'],
    ['is a text', '"text"'],
    ['is a number', '7'],
    ['is null', 'null'],
    ['is empty', ''],
    ['holds something else than objects', '[1]'],
    ['is nested 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['is nested deeply inside of an object', `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_001)}`],
  ])('is refused when it %s', async (_, body) => {
    const { post, groups } = await startPosting()
    const { status, body: answer } = await post(body)
    expect(status).toBe(422)
    expect(answer.message).toMatch(/^(The|Every) .*\.$/)
    expect(await groups()).toEqual([])
  })

  test.each([
    ['an exception that is an object', { message: 'm', exception: { class: 'E' } }],
    ['an exception that is a list', { message: 'm', exception: ['E', 'm'] }],
    ['nothing but nulls', { message: null, exception: null, file: null, line: null }],
    ['a message that is a list', { message: ['a', 'b'] }],
    ['a line that is a text', { message: 'm', file: 'a.ts', line: '12' }],
    ['a severity that is a number', { message: 'm', severity: 50 }],
    ['numbers where texts belong', { message: 7, app_name: 7, url: 7, method: 7, environment: [] }],
  ])('may hold %s', async (_, report) => {
    const { post, groups } = await startPosting()
    expect((await post(JSON.stringify(report))).status).toBe(200)
    expect(await groups()).toHaveLength(1)
  })

  test('is read with a byte order mark, bytes of latin-1, NUL, and lone surrogates', async () => {
    const { post, groups } = await startPosting()
    const bodies = [
      bytes('\uFEFF{"message":"marked"}'),
      Uint8Array.of(...bytes('{"message":"bro'), 0xff, 0xfe, ...bytes('ken"}')),
      bytes('{"message":"nul\\u0000led","file":"a\\u0000.ts","line":1,"app_name":"\\u0000"}'),
      bytes('{"message":"half \\ud800 pair"}'),
    ]
    for (const body of bodies) expect((await post(body)).status).toBe(200)
    const messages = (await groups()).map(({ message }) => message)
    expect(messages.toReversed()).toEqual(['marked', 'broÿþken', 'nulled', 'half \uFFFD pair'])
  })

  test('treats keys such as __proto__ as data', async () => {
    const { post, groups } = await startPosting()
    const body = '{"__proto__":{"message":"inherited"},"constructor":{"prototype":{"polluted":1}},"message":"own"}'
    expect((await post(body)).status).toBe(200)
    expect(await groups()).toMatchObject([{ message: 'own' }])
    expect(Object(Object.prototype)).not.toHaveProperty('polluted')
  })

  test('is truncated if it is very long', async () => {
    const { post, groups, server, workspaceId } = await startPosting()
    const message = `${'a'.repeat(900_000)}`
    expect((await post(JSON.stringify({ message }))).status).toBe(200)
    const [group] = await groups()
    expect(group?.message?.length).toBeLessThanOrEqual(65_535)
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data[0]?.title.length).toBeLessThanOrEqual(255)
    expect((await post(JSON.stringify({ message: 'a'.repeat(1_100_000) }))).status).toBe(413)
  })

  test('is not read if the secret is wrong', async () => {
    const { post, groups } = await startPosting()
    const headers = { 'x-service-webhook-secret': 'whs_wrong' }
    for (const body of ['{', 'a'.repeat(2 * 1024 * 1024)]) expect((await post(body, headers)).status).toBe(401)
    expect(await groups()).toEqual([])
  })
})

onEveryStore(
  'secrets in an error report',
  (_, store) => {
    test('are stored neither in the ticket nor in the sample', async () => {
      const { server, tables } = await startWithTables(store, { clock: manualClock(), rateLimit: 'off', encryptionKey })
      const site = await siteIn(server, manualClock())
      const secrets = await enableAll(site)
      const hidden = {
        password: 'hunter2-hunter2',
        bearer: 'abcdef0123456789abcdef',
        cookie: 'sessionid9f8e7d6c',
        card: '4242 4242 4242 4242',
        url: 'urltoken5a4b3c2d',
        database: 'dbpass1a2b3c4d',
      }
      await inboundOf(site, { secrets }).errors.report({
        message: `login failed with password=${hidden.password} for card ${hidden.card}`,
        exception: 'AuthError',
        url: `https://shop.example/login?token=${hidden.url}&page=2`,
        request: {
          headers: { Authorization: `Bearer ${hidden.bearer}`, Cookie: `sid=${hidden.cookie}` },
          body: { password: hidden.password },
        },
        stack: `AuthError: x\n    at connect (postgres://app:${hidden.database}@db/shop:1:2)\n    at run (/srv/app.js:1:2)`,
      })
      const written = JSON.stringify(await everyRow(tables, store))
      expect(written).toContain('login failed')
      for (const secret of Object.values(hidden)) expect(written).not.toContain(secret)
      expect(written).not.toContain(hidden.card.replaceAll(' ', ''))
    })
  },
  onDisk,
)
