import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { punch, seedSite, sessionsOf } from './attendance-site.ts'
import { manualClock } from './manual-clock.ts'
import { createStorage, onEveryStore } from './on-every-store.ts'
import { onDisk } from './tables.ts'
import { clientOf, queued } from './workspace.ts'

onEveryStore(
  'acknowledged data',
  (_start, store) => {
    test('survives closing the server and opening another one', async () => {
      const place = await createStorage(store)
      onTestFinished(place.remove)
      const first = await createServer({ clock: manualClock(), ...place.options })
      const site = await seedSite(first)
      await clientOf(first, site).tickets.create({ title: 'Broken', tags: ['a'] })
      await clientOf(first, site).tasks.create({ title: 'Call' }, { idempotencyKey: 'key-1' })
      await punch(first, site, { direction: 'in', timestamp: '2026-11-20T09:00:00Z' })
      const before = {
        tickets: await clientOf(first, site).tickets.list(),
        employees: await clientOf(first, site).hrms.employees.list(),
        sessions: await sessionsOf(first, site),
        events: await queued(first, site.workspace),
      }
      await first.close()

      await using second = await createServer({ clock: manualClock(), ...place.options })
      const client = clientOf(second, site)
      expect({
        tickets: await client.tickets.list(),
        employees: await client.hrms.employees.list(),
        sessions: await sessionsOf(second, site),
        events: await queued(second, site.workspace),
      }).toEqual(before)
      expect(await client.tickets.create({ title: 'Next' })).toMatchObject({ id: 2, ticket_number: 'TKT-00002' })
      expect(await client.tasks.create({ title: 'Call' }, { idempotencyKey: 'key-1' })).toMatchObject({ id: 1 })
      const went = await punch(second, site, { direction: 'out', timestamp: '2026-11-20T17:00:00Z' })
      expect(went.body.check_in_at).toBe('2026-11-20T09:00:00.000000Z')
    })

    test('includes all requests made before the server was closed', async () => {
      const place = await createStorage(store)
      onTestFinished(place.remove)
      const first = await createServer(place.options)
      const { id: workspace_id } = await first.admin.workspaces.create({ name: 'Acme' })
      // More than the pool size, so that some wait for a connection.
      const creating = Array.from({ length: 30 }, (_, index) =>
        first.admin.tickets.create({ workspace: workspace_id }, { title: `No ${index}` }),
      )
      await Promise.all([...creating, first.close()])
      await using second = await createServer(place.options)
      expect((await second.admin.tickets.list({ workspace: workspace_id })).data).toHaveLength(30)
    })
  },
  onDisk,
)

onEveryStore('the data directory', () => {
  test('and its database are accessible only to their owner', async () => {
    const place = await createStorage('sqlite')
    onTestFinished(place.remove)
    const data = join(place.options.data ?? '', 'made', 'by', 'us')
    await using server = await createServer({ data })
    await server.admin.workspaces.create({ name: 'Acme' })
    const modes = [await stat(data), await stat(join(data, 'service.db')), await stat(join(data, 'service.db-wal'))]
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600', '600'])
  })
}, ['sqlite'])
