import { expect, inject, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/core/system-clock.ts'
import { createServer } from '../src/index.ts'
import type { Migration } from '../src/store/columns.ts'
import { migrate, migrations } from '../src/store/migrate.ts'
import { openPostgres } from '../src/store/postgres.ts'
import { startBalancer } from './balancer.ts'
import { createDatabase } from './postgres-databases.ts'
import { openTables } from './tables.ts'
import { seedWorkspace } from './workspace.ts'

/** Nodes on one database behind a load balancer, as in a deployment. */
async function startInstallation() {
  const { url: databaseUrl, drop } = await createDatabase(inject('postgresUrl'))
  const balancer = await startBalancer({ checkEveryMs: 10 })
  const running = new Set<() => Promise<void>>()
  const startNode = async () => {
    const server = await createServer({
      ...{ databaseUrl, databaseWaitTimeoutMs: 20_000, rateLimit: 'off' },
      // The defaults of a separate process. Without them a node in a test does not wait for clients.
      ...{ drainDelayMs: 200, drainIdleMs: 6_500 },
    })
    const { url } = await server.listen()
    balancer.add(url)
    await balancer.becomes(url, 'ready')
    const stop = async () => {
      running.delete(stop)
      await server.close()
      balancer.remove(url)
    }
    running.add(stop)
    return { server, stop }
  }
  onTestFinished(async () => {
    await balancer.close()
    for (const stop of running) await stop()
    await drop()
  })
  return { balancer, startNode, databaseUrl }
}

/** Writes and reads through the balancer until `change` ends. Returns the statuses, and checks that nothing is lost or doubled. */
async function serveDuring(
  { balancer, databaseUrl }: Awaited<ReturnType<typeof startInstallation>>,
  { workspace, token }: { readonly workspace: { readonly id: number }; readonly token: string },
  change: () => Promise<void>,
) {
  const url = `${balancer.url}/api/v1/workspaces/${workspace.id}`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const read: number[] = []
  const written: number[] = []
  let isOver = false
  const keepWriting = async (kind: 'tickets' | 'tasks', writer: number) => {
    for (let count = 0; !isOver; count += 1) {
      const body = JSON.stringify({ title: `Number ${count} of ${writer}` })
      const response = await fetch(`${url}/${kind}`, { method: 'POST', headers, body })
      written.push(response.status)
      await response.arrayBuffer()
    }
  }
  const keepReading = async () => {
    while (!isOver) {
      const response = await fetch(`${url}/tickets`, { headers })
      read.push(response.status)
      await response.arrayBuffer()
    }
  }
  const running = [
    keepWriting('tickets', 1),
    keepWriting('tickets', 2),
    keepWriting('tasks', 3),
    keepReading(),
    keepReading(),
  ]
  await change()
  isOver = true
  await Promise.all(running)
  const tables = await openTables({ databaseUrl })
  const titles = (
    await tables.rows("select title from tickets union all select title from tasks where title like 'Number%'")
  ).map(({ title }) => title)
  await tables.close()
  expect(titles).toHaveLength(written.length)
  expect(new Set(titles).size).toBe(titles.length)
  return { read: new Set(read), written: new Set(written) }
}

test('restarting two nodes one after the other causes no error for clients of their balancer', async () => {
  const installation = await startInstallation()
  const first = await installation.startNode()
  const second = await installation.startNode()
  const seeded = await seedWorkspace(first.server)
  const statuses = await serveDuring(installation, seeded, async () => {
    for (const { stop } of [first, second]) {
      await stop()
      await installation.startNode()
    }
  })
  expect(statuses).toEqual({ read: new Set([200]), written: new Set([201]) })
})

test('nodes serve and restart while a node of the next release migrates the database', async () => {
  const installation = await startInstallation()
  const first = await installation.startNode()
  const { server: second } = await installation.startNode()
  const seeded = await seedWorkspace(first.server)
  const at = { workspace: seeded.workspace.id }
  const { id } = await second.admin.tasks.create(at, { title: 'Changed before and after' })
  const changeTask = async () => {
    for (let count = 0; count < 30; count += 1) await second.admin.tasks.update({ ...at, id }, { title: `${count}` })
  }
  const compatibleWith = migrations.at(-1)?.name ?? ''
  const nextRelease: Migration[] = [
    {
      name: '9000-notes',
      compatibleWith,
      statements: () => ['alter table tickets add column note text', 'alter table tasks add column note text'],
    },
    {
      name: '9001-note-index',
      compatibleWith,
      isConcurrent: true,
      statements: () => ['create index tickets_note on tickets (workspace_id, note)'],
    },
  ]
  const statuses = await serveDuring(installation, seeded, async () => {
    await changeTask()
    const store = await openPostgres({ url: installation.databaseUrl, poolSize: 2, namedStatements: true })
    await migrate(store, systemClock(), [...migrations, ...nextRelease])
    await store.close()
    // The statements that the node has prepared return one column less than the table has now.
    await changeTask()
    await first.stop()
    await installation.startNode()
  })
  expect(statuses).toEqual({ read: new Set([200]), written: new Set([201]) })
  const tables = await openTables({ databaseUrl: installation.databaseUrl })
  expect(await tables.rows("select indexname from pg_indexes where indexname = 'tickets_note'")).toHaveLength(1)
  await tables.close()
})
