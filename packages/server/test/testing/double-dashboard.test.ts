import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'

/** The pages of a test double in a browser that has opened its address. */
async function openDouble(options: TestServerOptions = {}) {
  const server = await createTestServer({ clock: '2026-01-01T09:00:00Z', ...options })
  onTestFinished(() => server.close())
  const address = await server.dashboardUrl()
  const opened = await fetch(address, { redirect: 'manual' })
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';')
  const { origin } = new URL(address)
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/dashboard/test${path}`, { ...init, headers: { cookie, ...init.headers }, redirect: 'manual' })
  const read = async (path = '') => (await send(path)).text()
  const press = (action: string, fields: Record<string, string> = {}, from = 'same-origin') =>
    send(`/${action}`, { method: 'POST', body: new URLSearchParams(fields), headers: { 'sec-fetch-site': from } })
  return { server, address, origin, opened, read, press }
}

test('opens with its address, whose key is removed by a redirect', async () => {
  const { opened, address, origin, read, server } = await openDouble()
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/dashboard/test'])
  expect(opened.headers.get('set-cookie')).toMatch(/; Path=\/dashboard\/test; HttpOnly; SameSite=Lax$/)
  expect(await server.dashboardUrl()).toBe(address)
  expect(await read()).toContain('The data, requests, and faults of this server')
  const almost = new URL(address).search.slice(0, -1)
  for (const key of ['', '?key=', '?key=wrong', `${almost}x`, `${almost}é`]) {
    const refused = await fetch(`${origin}/dashboard/test${key}`)
    expect(refused.status).toBe(401)
    expect(await refused.text()).not.toContain('The data, requests, and faults of this server')
  }
})

test('shows the requests of a test with their faults, and not its own', async () => {
  const { server, read, press } = await openDouble({ seed: 'demo' })
  await press('add-fault', { kind: '503', method: 'GET', path: '', times: '1' })
  const tickets = `/api/v1/workspaces/${server.seeded.workspace}/tickets`
  const headers = { authorization: `Bearer ${server.seeded.token}` }
  expect((await server.fetch(tickets, { headers })).status).toBe(503)
  expect((await server.fetch(tickets, { headers })).status).toBe(200)
  const html = await read()
  expect(html).toContain('2 requests')
  expect(html).toContain('fault: answer 503')
  expect(await read('/requests/2')).toContain('Token ending in')
  expect(await read('/requests/2')).not.toContain(server.seeded.token)
  await press('remove-fault', { index: '0', name: 'answer 503' })
  expect(server.faults.list()).toEqual([])
})

test('moves the clock, shows the deliveries of an inbox, and resets', async () => {
  const { server, read, press } = await openDouble()
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const inbox = server.webhooks.capture('ticket.*')
  await inbox.ready
  inbox.respondWith(500)
  await server.admin.tickets.create({ workspace }, { title: 'Printer on fire' })
  await server.settled()
  await press('next-due')
  expect(inbox.arrivals().map(({ answer }) => answer)).toEqual([500, 200])
  await press('advance', { by: '1h' })
  const html = await read()
  expect(html).toContain('answered 500')
  expect(html).toMatch(/attempt 2, answered 200.*Verified/)
  expect(html).toContain('10:00:')
  await press('reset')
  expect((await server.admin.workspaces.list()).data).toEqual([])
  expect(await read()).toContain('>09:00:00<')
})

test('shows errors as notices and rejects cross-site forms', async () => {
  const { server, read, press } = await openDouble()
  const before = server.clock.now()
  expect((await press('advance', { by: '1h' }, 'cross-site')).status).toBe(403)
  expect(server.clock.now()).toEqual(before)
  const refused = await press('advance', { by: 'soon' })
  expect(decodeURIComponent(refused.headers.get('set-cookie') ?? '')).toContain('must be a duration: a number')
  expect((await press('nothing')).status).toBe(303)
  expect(await read()).toContain('09:00:00')
})
