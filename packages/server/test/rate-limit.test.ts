import { expect, test } from 'vitest'
import { microsPerSecond } from '../src/core/clock.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, goodPassword, signedIn } from './people.ts'
import { call, clientOf, queued, seedWorkspace } from './workspace.ts'

const exceeded = { status: 429, body: { message: 'Too Many Attempts.' } }
const limitHeaders = (headers: Headers) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after', 'x-ratelimit-reset'].map((name) => headers.get(name))

onEveryStore('the rate limit', (start) => {
  test('allows 120 requests per token and minute, then returns 429 with Retry-After', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    for (let count = 1; count <= 120; count += 1) {
      const { status, headers } = await call(server, { path, token })
      expect([status, ...limitHeaders(headers)]).toEqual([200, '120', String(120 - count), null, null])
    }
    const refused = await call(server, { method: 'POST', path, token, body: { title: 'One too many' } })
    expect(refused).toMatchObject(exceeded)
    const [limit, remaining, retryAfter, reset] = limitHeaders(refused.headers)
    expect([limit, remaining, retryAfter]).toEqual(['120', '0', '60'])
    expect(Number(reset)).toBe(Math.ceil(clock.now() / microsPerSecond) + 60)
    expect(await queued(server, workspace)).toEqual([])
  })

  test('restarts the count when the window of 60 s, measured from its first request, has ended', async () => {
    const clock = manualClock()
    const server = await start({ clock, rateLimit: 2 })
    const { workspace, token } = await seedWorkspace(server)
    const ask = () => call(server, { path: `/api/v1/workspaces/${workspace.id}/tickets`, token })
    await ask()
    clock.advance(40 * microsPerSecond)
    await ask()
    clock.advance(19 * microsPerSecond)
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    clock.advance(microsPerSecond)
    const { status, headers } = await ask()
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '1'])
  })

  test('counts each token separately, over all routes', async () => {
    const server = await start({ rateLimit: 2 })
    const { workspace, member, token } = await seedWorkspace(server)
    const other = await server.admin.tokens.create(
      { workspace: workspace.id },
      { user_id: member.id, scopes: ['tickets:read'] },
    )
    const at = (path: string) => `/api/v1/workspaces/${workspace.id}/${path}`
    await call(server, { path: at('tickets'), token })
    await call(server, { path: at('crm/deals'), token })
    expect(await call(server, { path: at('projects'), token })).toMatchObject(exceeded)
    expect((await call(server, { path: at('tickets'), token: other.token })).status).toBe(200)
  })

  test('counts requests without a valid token together, apart from valid tokens', async () => {
    const server = await start({ rateLimit: 3 })
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const statuses: number[] = []
    for (const bad of [undefined, 'service_x', `${token}x`, undefined]) {
      const { status } = await call(server, { path, ...(bad === undefined ? {} : { token: bad }) })
      statuses.push(status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
    expect((await call(server, { path, token })).status).toBe(200)
  })

  test('counts a revoked token like a missing one', async () => {
    const server = await start({ rateLimit: 2 })
    const { workspace, member, token } = await seedWorkspace(server)
    const workspace_id = workspace.id
    const path = `/api/v1/workspaces/${workspace_id}/tickets`
    const revoked = await server.admin.tokens.create(
      { workspace: workspace_id },
      { user_id: member.id, scopes: ['tickets:read'] },
    )
    await server.admin.tokens.revoke({ workspace: workspace_id, id: revoked.id })
    await call(server, { path, token: revoked.token })
    await call(server, { path })
    expect(await call(server, { path, token: revoked.token })).toMatchObject(exceeded)
    expect((await call(server, { path, token })).status).toBe(200)
  })

  test('gives the typed client the time to wait', async () => {
    const server = await start({ rateLimit: 1 })
    const client = clientOf(server, await seedWorkspace(server))
    await client.tickets.list()
    await expect(client.tickets.list()).rejects.toMatchObject({
      name: 'RateLimitError',
      status: 429,
      retryAfterMs: 60_000,
    })
  })

  test('can be disabled, and then sends no headers', async () => {
    const server = await start({ rateLimit: 'off' })
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const answers = await Promise.all(Array.from({ length: 130 }, () => call(server, { path, token })))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(answers.flatMap(({ headers }) => limitHeaders(headers)).filter(Boolean)).toEqual([])
  })
})

onEveryStore(
  'the rate limit over a port',
  (start) => {
    const statusOf = async (url: string, forwardedFor: string) =>
      (await fetch(`${url}/api/v1/workspaces/1/tickets`, { headers: { 'x-forwarded-for': forwardedFor } })).status

    test('counts by the peer address and ignores forwarding headers', async () => {
      const server = await start({ rateLimit: 1 })
      const { url } = await server.listen()
      expect(await statusOf(url, '203.0.113.1')).toBe(401)
      expect(await statusOf(url, '203.0.113.2')).toBe(429)
    })

    test('counts by the last address seen by a trusted proxy', async () => {
      const server = await start({ rateLimit: 1, trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] })
      const { url } = await server.listen()
      expect(await statusOf(url, '203.0.113.1')).toBe(401)
      expect(await statusOf(url, '203.0.113.2')).toBe(401)
      expect(await statusOf(url, '198.51.100.9, 203.0.113.2, 10.0.0.7')).toBe(429)
      expect(await statusOf(url, '2001:db8::1')).toBe(401)
    })

    test('counts an address with a port or in brackets as that address', async () => {
      const server = await start({ rateLimit: 1, trustedProxies: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'] })
      const { url } = await server.listen()
      const notations = [
        ['203.0.113.1', '203.0.113.1:1234', '[::ffff:203.0.113.1]:80', '::ffff:cb00:7101', '9.9.9.9, 203.0.113.1:1'],
        ['203.0.113.2:65535', '203.0.113.2', '9.9.9.9, 203.0.113.2:1, 10.0.0.7:443', ' ,203.0.113.2 ,,'],
        ['[2001:db8::1]:80', '2001:db8::1', '[2001:db8::1]', '9.9.9.9, [2001:db8::2]:5, [fd00::1%eth0]:8080'],
      ]
      for (const [first = '', ...same] of notations) {
        expect([first, await statusOf(url, first)]).toEqual([first, 401])
        for (const other of same) expect([other, await statusOf(url, other)]).toEqual([other, 429])
      }
    })

    test('counts by the proxy if it names no address, whatever the client claims to be', async () => {
      const server = await start({ rateLimit: 1, trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] })
      const { url } = await server.listen()
      expect(await statusOf(url, '203.0.113.1, unknown')).toBe(401)
      const unreadable = [
        'unknown',
        '_hidden',
        '1.2.3.4:',
        '1.2.3.4:123456',
        '[1.2.3.4',
        '[]:80',
        '1.2.3:80',
        ':80',
        '%',
      ]
      for (const [index, hop] of unreadable.entries())
        expect([hop, await statusOf(url, `203.0.113.${index}, ${hop}, 10.0.0.7`)]).toEqual([hop, 429])
    })

    test('counts an IPv6 /64 network as one caller, in any notation', async () => {
      const server = await start({ rateLimit: 1, trustedProxies: ['127.0.0.0/8'] })
      const { url } = await server.listen()
      expect(await statusOf(url, '2001:db8:1:2::1')).toBe(401)
      for (const same of ['2001:db8:1:2::2', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2:0:0:1.2.3.4'])
        expect([same, await statusOf(url, same)]).toEqual([same, 429])
      for (const other of ['2001:db8:1:3::1', '2001:db8::1', '::1:2:3:4', '1:2:3:4:5:6:7:8'])
        expect([other, await statusOf(url, other)]).toEqual([other, 401])
    })

    test('counts IPv4-mapped IPv6 addresses as IPv4', async () => {
      const server = await start({ rateLimit: 1, trustedProxies: ['127.0.0.0/8'] })
      const { url } = await server.listen()
      expect(await statusOf(url, '203.0.113.1')).toBe(401)
      expect(await statusOf(url, '::ffff:cb00:7101')).toBe(429)
      expect(await statusOf(url, '::ffff:203.0.113.1')).toBe(429)
      expect(await statusOf(url, '::ffff:203.0.113.2')).toBe(401)
    })

    test('throttles unknown admin tokens after 10 per minute, and no other requests from the address', async () => {
      const clock = manualClock()
      const adminToken = 'admin-token-for-tests'
      const server = await start({ clock, adminToken, rateLimit: 'off' })
      const { workspace, member } = await seedWorkspace(server)
      const { email, token: session } = await signedIn(server, 'Bea')
      await server.admin.members.create({ workspace: workspace.id }, { name: 'Bea', email })
      const scoped = { user_id: member.id, scopes: ['webhooks:manage' as const] }
      const { token } = await server.admin.tokens.create({ workspace: workspace.id }, scoped)
      const { url } = await server.listen()
      const webhooks = `/admin/v1/workspaces/${workspace.id}/webhooks`
      const login = (token: string, path = webhooks) =>
        fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
      for (let count = 1; count <= 5; count += 1) {
        expect((await login('guess')).status).toBe(401)
        expect((await login('guess', '/metrics')).status).toBe(401)
      }
      for (const path of [webhooks, '/metrics']) {
        const { status, headers } = await login('guess', path)
        expect([status, headers.get('retry-after')]).toEqual([429, '60'])
      }
      const dashboard = (path: string) =>
        fetch(`${url}/dashboard/w/${workspace.id}${path}`, {
          headers: { cookie: `service_session.${new URL(url).port}=${session}` },
        })
      const live = await dashboard('/live')
      await live.body?.cancel()
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ email, password: goodPassword })
      const signIn = await fetch(`${url}/admin/v1/sessions`, { method: 'POST', headers, body })
      expect({
        instance: (await login(adminToken)).status,
        metrics: (await login(adminToken, '/metrics')).status,
        session: (await login(session, '/admin/v1/users/me')).status,
        apiToken: (await login(token)).status,
        dashboard: (await dashboard('/tickets')).status,
        live: [live.status, live.headers.get('content-type')],
        signIn: signIn.status,
      }).toEqual({
        instance: 200,
        metrics: 200,
        session: 200,
        apiToken: 200,
        dashboard: 200,
        live: [200, 'text/event-stream; charset=utf-8'],
        signIn: 201,
      })
      clock.advance(60 * microsPerSecond)
      expect((await login('guess')).status).toBe(401)
    })

    test('does not count an expired session as a guess, even while a page keeps reconnecting with it', async () => {
      const server = await start({ adminToken: 'admin-token-for-tests', rateLimit: 'off' })
      const { workspace } = await seedWorkspace(server)
      const { token: ended, sessionId } = await signedIn(server, 'Bea')
      expect((await askAdmin(server, ended, ['DELETE', `/sessions/${sessionId}`])).status).toBe(200)
      const { url } = await server.listen()
      const login = (token: string) =>
        fetch(`${url}/admin/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
      const live = () =>
        fetch(`${url}/dashboard/w/${workspace.id}/live`, {
          headers: { cookie: `service_session.${new URL(url).port}=${ended}` },
        })
      for (let count = 1; count <= 11; count += 1)
        expect([(await login(ended)).status, (await live()).status]).toEqual([401, 403])
      expect((await login('guess')).status).toBe(401)
    })
  },
  ['memory'],
)
