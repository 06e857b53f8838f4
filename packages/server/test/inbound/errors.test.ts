import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { microsPerDay } from '../../src/core/clock.ts'
import { createServer } from '../../src/index.ts'
import { onEveryStore } from '../on-every-store.ts'
import { queued } from '../workspace.ts'
import { enableAll, inboundOf, startOpenSite, startSite } from './inbound-site.ts'

const documented = {
  message: 'Coupon total is negative',
  status_code: 500,
  exception: 'RangeError',
  file: 'src/checkout/total.ts',
  line: 88,
  url: 'https://shop.example/checkout',
  method: 'POST',
  framework: 'express',
  environment: 'production',
  app_name: 'shop',
  severity: 'critical',
}

onEveryStore('an error report', (start) => {
  test('opens a ticket, and repeats are counted on it', async () => {
    const { server, clock, workspace, workspaceId, inbound } = await startOpenSite(start)
    const first = await inbound.errors.report(documented)
    clock.advance(1_000_000)
    const second = await inbound.errors.report({ ...documented, line: 91, environment: 'staging' })
    expect(first).toEqual({
      received: true,
      ticket_created: true,
      ticket_number: 'TKT-00001',
      ticket_id: first.ticket_id,
    })
    expect(second).toEqual({ ...first, ticket_created: false })
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toMatchObject([
      { title: 'RangeError: Coupon total is negative', status: 'open', category: 'error', priority: 'urgent' },
    ])
    const [group, ...others] = (await server.admin.errorReports.list({ workspace: workspaceId })).data
    expect(others).toEqual([])
    expect(group).toMatchObject({
      ticket_id: first.ticket_id,
      count: 2,
      message: documented.message,
      exception: 'RangeError',
      file: documented.file,
      line: 91,
      framework: 'express',
      environment: 'staging',
      severity: 'critical',
      app: 'shop',
      sample: { status: 500, method: 'POST', url: documented.url, line: 91 },
    })
    expect(Date.parse(group?.last_seen_at ?? '') - Date.parse(group?.first_seen_at ?? '')).toBeGreaterThanOrEqual(1_000)
    expect(await queued(server, workspace)).toMatchObject([{ event: 'ticket.created' }])
  })

  test('of a JavaScript error is read with its causes', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const cause = new TypeError('no port given')
    await inbound.errors.report(new RangeError('cannot connect', { cause }), { app_name: 'shop', framework: 'node' })
    const [group] = (await server.admin.errorReports.list({ workspace: workspaceId })).data
    expect(group).toMatchObject({
      exception: 'RangeError',
      message: 'cannot connect',
      file: expect.stringMatching(/errors\.test\.ts$/),
      framework: 'node',
      app: 'shop',
      sample: { causes: [{ exception: 'TypeError', message: 'no port given' }] },
    })
    expect(group?.sample['frames']).toContainEqual(expect.anything())
  })

  test('without any content is accepted and opens a ticket', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    expect(await inbound.errors.report({})).toMatchObject({ received: true, ticket_created: true })
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toMatchObject([
      { title: 'Error report' },
    ])
  })

  test('with an impossible line number is counted without it, even if it resembles a card number', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    for (const line of [2_287_523_581_766_269, 2 ** 31]) await inbound.errors.report({ ...documented, line })
    const { data } = await server.admin.errorReports.list({ workspace: workspaceId })
    expect(data).toMatchObject([{ count: 2, file: documented.file, line: null }])
  })

  test('that first arrives 200 times at once opens one ticket with a count of 200', async () => {
    const { server, workspace, workspaceId, inbound } = await startOpenSite(start)
    const receipts = await Promise.all(Array.from({ length: 200 }, () => inbound.errors.report(documented)))
    expect(receipts.filter(({ ticket_created }) => ticket_created)).toHaveLength(1)
    expect(new Set(receipts.map(({ ticket_id }) => ticket_id)).size).toBe(1)
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toMatchObject([{ count: 200 }])
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toHaveLength(1)
    expect(await queued(server, workspace)).toHaveLength(1)
  })

  test('of two applications opens two tickets', async () => {
    const { inbound } = await startOpenSite(start)
    const shop = await inbound.errors.report({ message: 'boom', app_name: 'shop' })
    const mail = await inbound.errors.report({ message: 'boom', app_name: 'mail' })
    expect([shop, mail].map(({ ticket_created }) => ticket_created)).toEqual([true, true])
  })

  test('reopens a ticket that was closed less than 14 days ago, and opens a new one later', async () => {
    const { server, clock, workspace, workspaceId, inbound } = await startOpenSite(start)
    const { ticket_id } = await inbound.errors.report(documented)
    const place = { workspace: workspaceId, id: ticket_id ?? 0 }
    await server.admin.tickets.update(place, { status: 'closed' })
    clock.advance(14 * microsPerDay - 1_000_000)
    expect(await inbound.errors.report(documented)).toMatchObject({ ticket_created: false, ticket_id })
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toMatchObject([
      { id: ticket_id, status: 'open' },
    ])
    await inbound.errors.report(documented)
    const events = (await queued(server, workspace)).map((event) => Object(event).event)
    expect(events).toEqual(['ticket.created', 'ticket.updated', 'ticket.resolved', 'ticket.updated'])
    await server.admin.tickets.update(place, { status: 'resolved' })
    clock.advance(14 * microsPerDay)
    const later = await inbound.errors.report(documented)
    expect(later).toMatchObject({ ticket_created: true })
    expect(later.ticket_id).not.toBe(ticket_id)
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toMatchObject([
      { count: 4, ticket_id: later.ticket_id },
    ])
  })

  test('is refused without the secret, with a wrong secret, and with the secret of another workspace', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId, secrets } = site
    for (const wrong of [
      undefined,
      'whs_wrong',
      secrets.attendance,
      `${secrets.errors}x`,
      secrets.errors.slice(0, -1),
    ]) {
      const inbound = inboundOf(site, wrong === undefined ? {} : { secrets: { errors: wrong } })
      expect(await inbound.errors.report(documented).safe()).toMatchObject({
        ok: false,
        error: { status: 401, message: expect.stringContaining('Invalid webhook secret.') },
      })
    }
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toEqual([])
    expect((await server.admin.inboundDeliveries.list({ workspace: workspaceId })).data).toEqual([])
  })

  test('is accepted with a token that may create tickets in this workspace, and with no other', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace_id } = site
    const [member] = (await server.admin.members.list({ workspace: workspace_id })).data.toReversed()
    const user_id = member?.id ?? 0
    const reading = await server.admin.tokens.create({ workspace: workspace_id }, { user_id, scopes: ['tickets:read'] })
    const revoked = await server.admin.tokens.create(
      { workspace: workspace_id },
      { user_id, scopes: ['tickets:write'] },
    )
    await server.admin.tokens.revoke({ workspace: workspace_id, id: revoked.id })
    const other = await server.admin.workspaces.create({ name: 'Other' })
    await server.admin.integrations.rotateSecret({ workspace: other.id, integration: 'errors' })
    const statusWith = async (token: string, workspaceId = workspace_id) => {
      const result = await inboundOf({ ...site, workspaceId }, { token })
        .errors.report(documented)
        .safe()
      return result.meta.status
    }
    expect(await statusWith(site.token)).toBe(200)
    expect(await statusWith(reading.token)).toBe(403)
    expect(await statusWith(revoked.token)).toBe(401)
    expect(await statusWith('service_nobody')).toBe(401)
    expect(await statusWith(site.token, other.id)).toBe(403)
    expect((await server.admin.errorReports.list({ workspace: workspace_id })).data).toMatchObject([{ count: 1 }])
  })

  test('gets a 404 response if error reports are disabled, with any credential', async () => {
    const site = await startSite(start)
    const { errors } = inboundOf(site, { token: site.token })
    expect(await errors.report(documented).safe()).toMatchObject({ error: { status: 404 } })
    const secrets = await enableAll(site)
    await site.server.admin.integrations.update(
      { workspace: site.workspaceId, integration: 'errors' },
      { enabled: false },
    )
    const known = inboundOf(site, { secrets })
    expect(await known.errors.report(documented).safe()).toMatchObject({ error: { status: 404 } })
  })

  test('sent again with its idempotency key gets the same response and is counted once', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const options = { idempotencyKey: 'report-1' }
    const first = await inbound.errors.report(documented, {}, options).withMeta()
    const again = await inbound.errors.report(documented, {}, options).withMeta()
    expect(again.data).toEqual(first.data)
    expect(again.meta.headers).toHaveProperty('idempotency-replayed', 'true')
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toMatchObject([{ count: 1 }])
  })
})

onEveryStore(
  'a thousand error reports',
  (start) => {
    test('that differ only in ids, numbers, hex, dates, and addresses open one ticket', async () => {
      const { server, workspaceId, inbound } = await startOpenSite(start)
      const hex = (count: number) => count.toString(16).padStart(12, '0')
      const message = (count: number) =>
        `order ${count} of 3f2c1d4e-0000-4000-8000-${hex(count)} at 0x7fbb${hex(count)} failed on 2026-11-${10 + (count % 19)}T10:00:${10 + (count % 49)}Z from 10.0.${count % 250}.7 for user${count}@example.org after ${count}ms`
      for (let from = 0; from < 1_000; from += 100) {
        const hundred = Array.from({ length: 100 }, (_, index) => ({ ...documented, message: message(from + index) }))
        await Promise.all(hundred.map((report) => inbound.errors.report(report)))
      }
      expect(await server.admin.errorReports.list({ workspace: workspaceId }, { limit: 200 }).all()).toMatchObject([
        { count: 1_000 },
      ])
      expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toHaveLength(1)
    })
  },
  ['memory', 'sqlite'],
)

test('over HTTP a repeated secret header is refused, and header names are case-insensitive', async () => {
  const server = await createServer({ rateLimit: 'off' })
  onTestFinished(() => server.close())
  const { id } = await server.admin.workspaces.create({ name: 'Acme' })
  const { secret } = await server.admin.integrations.rotateSecret({ workspace: id, integration: 'errors' })
  const { url } = await server.listen()
  const statusWith = (secrets: string | string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'X-SERVICE-Webhook-Secret': secrets }
      request(`${url}/api/webhooks/${id}/errors`, { method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .once('error', reject)
        .end('{"message":"Broken"}')
    })
  expect([await statusWith(secret), await statusWith([secret, secret]), await statusWith([secret, 'other'])]).toEqual([
    200, 401, 401,
  ])
})
