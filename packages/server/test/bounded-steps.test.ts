import { expect, test } from 'vitest'
import { microsPerDay } from '../src/core/clock.ts'
import type { Server } from '../src/index.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { manualClock } from './manual-clock.ts'
import { onDisk, startWithTables, type Tables } from './tables.ts'

// Long work runs in short transactions, so that no request waits long for a lock. On SQLite, other requests also run between
// the steps.

const numbers = (last: number) =>
  `(with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${last}) select n from counted) as every`

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** What `look` sees in each turn of the event loop until `work` is done. */
async function turnsDuring<Seen>(work: Promise<unknown>, look: () => Promise<Seen>): Promise<Seen[]> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const seen: Seen[] = []
  while (!isDone) {
    seen.push(await look())
    await turn()
  }
  await done
  return seen
}

/** The most rows that one transaction of PostgreSQL changes in a table, and how many transactions do. */
async function watchChanges(tables: Tables, { table, change }: Work) {
  await tables.rows('create table steps (transaction_id bigint, changed bigint)')
  await tables.rows(`create function count_step() returns trigger language plpgsql as $$
    begin insert into steps select txid_current(), count(*) from changed; return null; end $$`)
  await tables.rows(`create trigger count_steps after ${change} on ${table} referencing old table as changed
    for each statement execute function count_step()`)
  return async () => {
    const rows = await tables.rows(
      'select sum(changed) as most from steps group by transaction_id having sum(changed) > 0',
    )
    return rows.map(({ most }) => Number(most))
  }
}

const works = [
  {
    name: 'the deletion of expired records in the background',
    table: 'inbound_deliveries',
    isWaiting: 'true',
    change: 'delete',
    rows: 1700,
    most: 500,
    run: ({ server }) => server.deliveries.runDue(),
  },
  {
    name: 'a requested deletion of expired records',
    table: 'inbound_deliveries',
    isWaiting: 'true',
    change: 'delete',
    rows: 1700,
    most: 500,
    run: ({ server }) => server.admin.system.prune(),
  },
  {
    name: 'the detection of missed SLA targets',
    table: 'tickets',
    isWaiting: 'first_response_breached_at is null',
    change: 'update',
    rows: 150,
    most: 100,
    run: ({ server }) => server.deliveries.runDue(),
  },
] as const satisfies readonly Work[]

interface Work {
  readonly name: string
  readonly table: 'inbound_deliveries' | 'tickets'
  /** Of a row that is not done. */
  readonly isWaiting: string
  readonly change: 'delete' | 'update'
  readonly rows: number
  /** The rows of a step. */
  readonly most: number
  run(site: { readonly server: Server }): Promise<unknown>
}

/** A server whose clock is a hundred days after the rows. */
async function startWithDueWork(store: (typeof onDisk)[number], { table, isWaiting, rows }: Work) {
  const clock = manualClock()
  const { server, tables } = await startWithTables(store, { clock, rateLimit: 'off' })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const now = clock.now()
  await tables.rows(
    table === 'tickets'
      ? `insert into tickets (workspace_id, number, title, status, priority, tags, first_response_due_at, created_at, updated_at)
          select ${workspace}, n, 'Ticket ' || n, 'open', 'low', '[]', ${now + 1}, n, n from ${numbers(rows)}`
      : `insert into inbound_deliveries (workspace_id, integration, status, summary, request_id, received_at)
          select ${workspace}, 'errors', 200, 'Counted', 'request ' || n, ${now} from ${numbers(rows)}`,
  )
  clock.advance(100 * microsPerDay)
  const countWaiting = async () => {
    const [left] = await tables.rows(`select count(*) as count from ${table} where ${isWaiting}`)
    return Number(left?.['count'])
  }
  return { server, tables, countWaiting }
}

test.each<Work>(works)('on PostgreSQL $name takes small transactions', async (work) => {
  const site = await startWithDueWork('postgres', work)
  const changes = await watchChanges(site.tables, work)
  await work.run(site)
  expect(await site.countWaiting()).toBe(0)
  const steps = await changes()
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(work.rows)
  expect(Math.max(...steps)).toBeLessThanOrEqual(work.most)
})

test.each<Work>(works)('on SQLite other requests run between the steps of $name', async (work) => {
  const site = await startWithDueWork('sqlite', work)
  const seen = await turnsDuring(work.run(site), site.countWaiting)
  const steps = [...seen, await site.countWaiting()].map((left, index) => (seen[index - 1] ?? work.rows) - left)
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(work.rows)
  expect(Math.max(...steps)).toBeLessThanOrEqual(work.most)
})

test.each(onDisk)(
  'on %s other requests run between the pages of an export, also of those without a match',
  async (store) => {
    const { server, tables } = await startWithTables(store, { rateLimit: 'off' })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const ada = await signedInVisitor(server, { workspace, role: 'admin' })
    const rows = 30_000
    const pages = rows / 2000
    await tables.rows(`insert into tasks (workspace_id, title, status, priority, created_at, updated_at)
    select ${workspace}, 'Task ' || n, 'todo', 'low', n, n from ${numbers(rows)}`)
    await tables.rows(`insert into audit_log (at, actor, via, address, operation, workspace_id, resource, request_id)
    select n, 'user:1', 'session', '::1', 'tasks.update', ${workspace}, 'task ' || n, 'r' from ${numbers(rows)}`)
    for (const path of ['/tasks/export?view=list&priority=urgent', '/settings/audit/export?operation=nothing']) {
      const answer = await ada.get(`/dashboard/w/${workspace}${path}`)
      expect(answer.status).toBe(200)
      const turns = await turnsDuring(answer.text(), async () => undefined)
      expect(turns.length).toBeGreaterThanOrEqual(pages - 1)
    }
  },
)
