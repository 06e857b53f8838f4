import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { manualClock } from './manual-clock.ts'
import { createStorage, onEveryStore } from './on-every-store.ts'
import { onDisk, startWithTables } from './tables.ts'
import { call, seedWorkspace } from './workspace.ts'

onEveryStore(
  'writers at once',
  (_start, store) => {
    // A round trip to PostgreSQL takes ten times as long as a statement of SQLite.
    const each = { memory: 20, sqlite: 20, postgres: 6 }[store]

    test('lose no number, duplicate none, and leave no gap, despite concurrent failures and reads', async () => {
      const log = collectedLog()
      const hooks = {
        ticketCreated({ title }: { title: string }) {
          if (title === 'fault') throw new Error('planted')
        },
      }
      const { server, tables } = await startWithTables(store, { log, hooks, rateLimit: 'off' })
      const { workspace, token } = await seedWorkspace(server)
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      const bodies = [{ title: 'good' }, { title: 'fault' }, { title: 'good' }, { title: 'good', project_id: 999 }]
      const expected = [201, 500, 201, 422]
      const write = async (writer: number) => {
        for (let turn = 0; turn < each; turn += 1) {
          const which = (writer + turn) % 4
          const { status } = await call(server, { method: 'POST', path, token, body: bodies[which] })
          expect(status).toBe(expected[which])
        }
      }
      const read = async () => {
        for (let turn = 0; turn < each; turn += 1) {
          const { body } = await call(server, { path, token })
          const numbers = body.data.map((ticket: { ticket_number: string }) => ticket.ticket_number)
          expect(numbers).toEqual(numbers.toSorted().reverse())
        }
      }
      await Promise.all([...Array.from({ length: 100 }, (_, writer) => write(writer)), read(), read()])
      const created = (100 * each) / 2
      const numbers = await tables.rows('select number from tickets order by id')
      expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: created }, (_, index) => index + 1))
      const events = await tables.rows("select count(*) as events from events where name = 'ticket.created'")
      expect(events).toEqual([{ events: created }])
      expect(log.lines.filter(({ level, fields }) => level !== 'info' && fields['fault'] !== 'planted')).toEqual([])
    })

    test('take turns by workspace, so that none waits for all that another writes', async () => {
      let elapsedMs = 0 // each write takes long enough to end the group of writes that share a commit
      const clock = { ...manualClock(), elapsedMs: () => (elapsedMs += 20) }
      const { server } = await startWithTables(store, { clock, rateLimit: 'off' })
      const busy = await seedWorkspace(server)
      const other = await seedWorkspace(server, { name: 'Other' })
      const own = { workspace: busy.workspace.id }
      const channel = await server.admin.channels.create(own, { name: 'Log' })
      const actions = Array.from({ length: 20 }, () => ({
        type: 'post_message' as const,
        channel_id: channel.id,
        body: '{{title}}',
      }))
      await server.admin.rules.create(own, { name: 'Log', trigger: 'ticket_created', conditions: [], actions })
      const create = async ({ workspace, token }: typeof busy) => {
        const path = `/api/v1/workspaces/${workspace.id}/tickets`
        const { status } = await call(server, { method: 'POST', path, token, body: { title: 'Outage' } })
        expect(status).toBe(201)
      }
      let answered = 0
      const writing = Array.from({ length: 20 }, () => create(busy).then(() => (answered += 1)))
      await Promise.any(writing)
      await create(other)
      expect(answered).toBeLessThan(8)
      await Promise.all(writing)
    })
  },
  onDisk,
)

onEveryStore('several servers', () => {
  test('refuse a token immediately after another one has revoked it', async () => {
    const { options, remove } = await createStorage('postgres')
    const [first, second] = await Promise.all([createServer(options), createServer(options)])
    onTestFinished(async () => {
      await Promise.all([first.close(), second.close()])
      await remove()
    })
    const { workspace, token } = await seedWorkspace(first)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const statuses = async () => [
      (await call(first, { path, token })).status,
      (await call(second, { path, token })).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    const [{ id } = { id: 0 }] = (await first.admin.tokens.list({ workspace: workspace.id })).data
    await first.admin.tokens.revoke({ workspace: workspace.id, id })
    expect(await statuses()).toEqual([401, 401])
  })
}, ['postgres'])
