import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
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
