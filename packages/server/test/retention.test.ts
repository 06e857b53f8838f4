import { expect, test } from 'vitest'
import { microsPerDay, microsPerHour } from '../src/core/clock.ts'
import type { ServerOptions } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { enableAll, encryptionKey, inboundOf, siteIn } from './inbound/inbound-site.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { onDisk, startWithTables } from './tables.ts'

onEveryStore(
  'an expired record',
  (_start, store) => {
    /** A platform with one Git delivery, one automation run, and one idempotency key. */
    async function used(options: ServerOptions = {}) {
      const clock = manualClock()
      const { server, tables } = await startWithTables(store, { clock, rateLimit: 'off', ...options })
      const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Acme' })
      const { id: user_id } = await server.admin.members.create(
        { workspace: workspace_id },
        { name: 'Ann', email: 'ann@acme.test' },
      )
      const { token } = await server.admin.tokens.create(
        { workspace: workspace_id },
        { user_id, scopes: ['tickets:write'] },
      )
      await server.admin.integrations.update({ workspace: workspace_id, integration: 'github' }, { enabled: true })
      await server.admin.rules.create(
        { workspace: workspace_id },
        { name: 'Tag', trigger: 'ticket_created', conditions: [], actions: [{ type: 'add_tag', tag: 'new' }] },
      )
      const { git } = inboundOf({ server, workspaceId: workspace_id, clock }, {})
      expect((await git.send('github', 'push', {}).safe()).meta.status).toBe(200)
      const answer = await server.fetch(`http://localhost/api/v1/workspaces/${workspace_id}/tickets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: JSON.stringify({ title: 'A' }),
      })
      expect(answer.status).toBe(201)
      const left = async () => {
        const names = ['idempotency_keys', 'inbound_deliveries', 'git_deliveries', 'automation_runs', 'activities']
        const counts: Record<string, number> = {}
        for (const name of names) counts[name] = (await tables.rows(`select 1 as one from ${name}`)).length
        return counts
      }
      return { server, clock, left, tables }
    }

    const all = { idempotency_keys: 1, inbound_deliveries: 1, git_deliveries: 1, automation_runs: 1, activities: 1 }
    const afterAll = {
      idempotency_keys: 0,
      inbound_deliveries: 0,
      git_deliveries: 0,
      automation_runs: 0,
      activities: 1,
    }

    test('is deleted when it expires, and business records stay', async () => {
      const { server, clock, left } = await used()
      expect(await left()).toEqual(all)
      clock.advance(microsPerDay + microsPerHour)
      await server.deliveries.runDue()
      expect(await left()).toEqual({ ...all, idempotency_keys: 0 })
      clock.advance(90 * microsPerDay)
      await server.deliveries.runDue()
      expect(await left()).toEqual(afterAll)
    })

    test('includes the body of an inbound delivery after the configured hours', async () => {
      const { server, clock, tables } = await used({ inboundBodyHours: 2 })
      const errors = { workspace: 1, integration: 'errors' } as const
      const { secret } = await server.admin.integrations.rotateSecret(errors)
      const headers = { 'content-type': 'application/json', 'x-service-webhook-secret': secret }
      const body = JSON.stringify({ message: 'Out of paper' })
      await server.fetch('http://localhost/api/webhooks/1/errors', { method: 'POST', headers, body })
      const bodies = async () =>
        (await tables.rows("select body from inbound_deliveries where integration = 'errors'")).map(
          (row) => row['body'],
        )
      expect(await bodies()).toEqual([body])
      clock.advance(3 * microsPerHour)
      await server.deliveries.runDue()
      expect(await bodies()).toEqual([null])
    })

    test('is deleted after the configured days', async () => {
      const { server, clock, left } = await used({
        inboundRetentionDays: 1000,
        automationRetentionDays: 5,
        activityRetentionDays: 2,
      })
      clock.advance(3 * microsPerDay)
      await server.deliveries.runDue()
      expect(await left()).toEqual({ ...all, idempotency_keys: 0, activities: 0 })
      clock.advance(3 * microsPerDay)
      await server.deliveries.runDue()
      expect(await left()).toEqual({ ...all, idempotency_keys: 0, activities: 0, automation_runs: 0 })
    })

    test.each([
      ['kept', {}, { lead_enquiries: 1, unmatched_punches: 1 }],
      ['deleted by enquiryRetentionDays', { enquiryRetentionDays: 2 }, { lead_enquiries: 0, unmatched_punches: 1 }],
      [
        'deleted by unmatchedPunchRetentionDays',
        { unmatchedPunchRetentionDays: 2 },
        { lead_enquiries: 1, unmatched_punches: 0 },
      ],
    ])('inquiries and unmatched punches are %s', async (_, options, expected) => {
      const clock = manualClock()
      const { server, tables } = await startWithTables(store, { clock, rateLimit: 'off', encryptionKey, ...options })
      const site = await siteIn(server, clock)
      const inbound = inboundOf(site, { secrets: await enableAll(site) })
      await inbound.leads.capture('website', { name: 'Grace', email: 'grace@example.com' })
      await inbound.attendance.punch({
        external_device_id: 'DOOR-9',
        employee_code: 'E-9',
        direction: 'in',
        timestamp: '2026-11-20T09:00:00Z',
      })
      const left = async () => {
        const counts: Record<string, number> = {}
        for (const name of Object.keys(expected)) counts[name] = (await tables.rows(`select id from ${name}`)).length
        return counts
      }
      expect(await left()).toEqual({ lead_enquiries: 1, unmatched_punches: 1 })
      clock.advance(3 * microsPerDay)
      await server.deliveries.runDue()
      expect(await left()).toEqual(expected)
    })

    test('is deleted by prune together with old deliveries, and the number of rows is returned', async () => {
      const { server, clock, left, tables } = await used()
      expect(await server.admin.system.prune()).toEqual({ removed: 0, done: true })
      clock.advance(2 * microsPerDay)
      expect(await server.admin.system.prune()).toEqual({ removed: 1, done: true })
      expect(await left()).toEqual({ ...all, idempotency_keys: 0 })
      clock.advance(90 * microsPerDay)
      const events = (await tables.rows('select 1 as one from events')).length
      expect(events).toBeGreaterThan(0)
      expect(await server.admin.system.prune()).toEqual({ removed: 3 + events, done: true })
      expect(await left()).toEqual(afterAll)
    })

    test('is deleted for about a second per prune call, and the rest by the next call', async () => {
      let [elapsed, step] = [0, 0]
      const clock = { ...manualClock(), elapsedMs: () => (elapsed += step) }
      const { server, left, tables } = await used({ clock })
      const rows = Array.from({ length: 1200 }, (_, index) => `(1, 'other', 'k${index}', 'h', 1)`).join(', ')
      await tables.rows(
        `insert into idempotency_keys (workspace_id, scope, key, request_hash, expires_at) values ${rows}`,
      )
      step = 200
      const some = await server.admin.system.prune()
      expect(some.done).toBe(false)
      expect((await left())['idempotency_keys']).toBe(1201 - some.removed)
      step = 0
      expect(await server.admin.system.prune()).toEqual({ removed: 1200 - some.removed, done: true })
      expect(await left()).toEqual(all)
    })

    test('is deleted in separate transactions, so earlier deletions persist if a later one fails', async () => {
      const { server, left, tables } = await used({ log: collectedLog() })
      const rows = Array.from({ length: 1200 }, (_, index) => `(1, 'other', 'k${index}', 'h', 1)`).join(', ')
      await tables.rows(
        `insert into idempotency_keys (workspace_id, scope, key, request_hash, expires_at) values ${rows}`,
      )
      await tables.rows('alter table delivery_jobs rename to moved_jobs')
      await expect(Promise.resolve(server.admin.system.prune())).rejects.toMatchObject({ status: 500 })
      expect((await left())['idempotency_keys']).toBe(1)
      await tables.rows('alter table moved_jobs rename to delivery_jobs')
      expect(await server.admin.system.prune()).toEqual({ removed: 0, done: true })
    })

    test('is deleted in batches until none is left', async () => {
      const { server, clock, left, tables } = await used()
      const rows = Array.from({ length: 1200 }, (_, index) => `(1, 'other', 'k${index}', 'h', 1)`).join(', ')
      await tables.rows(
        `insert into idempotency_keys (workspace_id, scope, key, request_hash, expires_at) values ${rows}`,
      )
      expect((await left())['idempotency_keys']).toBe(1201)
      clock.advance(2 * microsPerDay)
      await server.deliveries.runDue()
      expect((await left())['idempotency_keys']).toBe(0)
    })
  },
  onDisk,
)
