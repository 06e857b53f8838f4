import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/core/system-clock.ts'
import { rebuildTicketSearch } from '../src/modules/tickets/search-index.ts'
import { findMatchingIds, matchingIds, type TicketFilter } from '../src/modules/tickets/search-queries.ts'
import { findSortedIds, type SortedSearch } from '../src/modules/tickets/sorted-queries.ts'
import { migrate } from '../src/store/migrate.ts'
import { openPostgres } from '../src/store/postgres.ts'
import { openSqlite } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { createStorage } from './on-every-store.ts'
import { onDisk } from './tables.ts'

// The query plans of lists.

const filters: readonly TicketFilter[] = [
  { status: 'open' },
  { priority: 'high' },
  { assigned_to: 7 },
  { project_id: 3 },
  { tag: 'billing' },
  { words: ['rare'] },
  { words: ['rar', 'coup'] },
  { status: 'open', priority: 'high', assigned_to: 7, project_id: 3, tag: 'billing', words: ['rare', 'coupon'] },
]

const planLines = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

async function openStore(name: Store['dialect']): Promise<Store> {
  if (name === 'sqlite') {
    const store = openSqlite({ path: ':memory:', synchronous: 'normal' })
    onTestFinished(() => store.close())
    return store
  }
  const { options, remove } = await createStorage('postgres')
  const store = await openPostgres({ url: options.databaseUrl ?? '', poolSize: 2, namedStatements: true })
  onTestFinished(async () => {
    await store.close()
    await remove()
  })
  return store
}

test('SQLite answers every filter from the term index, newest first, without sorting or scanning', async () => {
  const store = await openStore('sqlite')
  await fill(store, 4000)
  for (const filter of filters) {
    const query = await matchingIds(store, 2, { ...filter, limit: 50, before: 1000 })
    const { rows } = await sql`explain query plan ${query ?? sql`select 1`}`.execute(store.db)
    // `M` is the MATCH and `<` the bound on the id. The index evaluates both.
    expect([filter, planLines(rows)]).toEqual([
      filter,
      expect.stringMatching(
        /SCAN ticket_search VIRTUAL TABLE INDEX \d+:.*<.*M|SCAN ticket_search VIRTUAL TABLE INDEX \d+:.*M.*</,
      ),
    ])
    expect(planLines(rows)).not.toContain('TEMP B-TREE')
    expect(rows).toHaveLength(1)
  }
})

test('PostgreSQL answers every filter from the term index and sorts at most one block', async () => {
  const store = await openStore('postgres')
  await fill(store, 4000)
  await store.migrateWith(async (run) => void (await run('analyze')))
  for (const filter of filters) {
    const query = (await matchingIds(store, 1, { ...filter, limit: 50, before: 4000 }))?.compile(store.db)
    let plan: PlanNode | undefined
    await store.migrateWith(async (run) => {
      // The planner would scan a table this small.
      await run('set local enable_seqscan = off')
      const rows = await run(`explain (format json) ${query?.sql}`, query?.parameters)
      plan = rows.flatMap((row) => row['QUERY PLAN'] as [{ Plan: PlanNode }])[0]?.Plan // as PostgreSQL documents it
    })
    expect([filter, pathsOf(plan)]).toEqual([filter, expect.not.arrayContaining([expect.stringContaining('Seq Scan')])])
    expect([filter, pathsOf(plan)]).toEqual([
      filter,
      expect.arrayContaining([
        'Limit > Nested Loop > Function Scan',
        expect.stringMatching(/^Limit > Nested Loop > Limit > Sort > .*Bitmap Index Scan on ticket_search_terms$/),
      ]),
    ])
  }
})

test.each(onDisk)('%s pages through sorted lists with few and many matches', async (name) => {
  const store = await openStore(name)
  await fill(store, 4000)
  const searches: readonly Omit<SortedSearch, 'limit'>[] = [
    { sort: 'priority' },
    { sort: 'priority', words: ['old'] },
    { sort: 'updated', status: 'open', words: ['coup'] },
    { sort: 'due' },
    { sort: 'due', tag: 'billing' },
    { sort: 'due', words: ['coup'] },
    { sort: 'sla', words: ['old'] },
  ]
  for (const search of searches) {
    const all = await findSortedIds(store, 2, { ...search, limit: 4000 })
    const matching = await findMatchingIds(store, 2, { ...search, sort: undefined, limit: 4000 } as never)
    expect([search, all.map(({ id }) => id).toSorted((a, b) => b - a)]).toEqual([search, matching])
    const [last] = all.slice(9, 10)
    const next = await findSortedIds(store, 2, { ...search, limit: 5, cursor: `${last?.sort_key},${last?.id}` })
    expect([search, next]).toEqual([search, all.slice(10, 15)])
  }
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** The paths from the root of a plan to its leaves. */
function pathsOf(node: PlanNode | undefined): string[] {
  if (node === undefined) return []
  const { 'Node Type': type, 'Index Name': index, Plans: inputs = [] } = node
  if (inputs.length === 0) return [index === undefined ? type : `${type} on ${index}`]
  return inputs.flatMap(pathsOf).map((path) => `${type} > ${path}`)
}

test.each(onDisk)('%s pages through sparse matches, newest first', async (name) => {
  const store = await openStore(name)
  await fill(store, 40_000)
  // Tickets of the second workspace have odd ids.
  const expected = (isWanted: (id: number) => boolean) =>
    Array.from({ length: 40_000 }, (_, index) => 40_000 - index).filter((id) => id % 2 === 1 && isWanted(id))
  const searches: readonly (readonly [TicketFilter, (id: number) => boolean])[] = [
    [{ words: ['rare'] }, (id) => id % 5000 === 1],
    [{ words: ['old'] }, (id) => id <= 1000],
    [{ words: ['old'], status: 'open' }, (id) => id <= 1000 && id % 4 === 1],
    [{ tag: 'billing', words: ['rare'] }, (id) => id === 1 || id === 15_001 || id === 30_001],
    [{ words: ['old', 'new'] }, () => false],
  ]
  for (const [filter, isWanted] of searches) {
    const ids = expected(isWanted)
    const read = (page: { limit: number; before?: number }) => findMatchingIds(store, 2, { ...filter, ...page })
    expect([filter, await read({ limit: 1000 })]).toEqual([filter, ids])
    const first = await read({ limit: 3 })
    expect([filter, first]).toEqual([filter, ids.slice(0, 3)])
    const last = first.at(-1)
    if (last !== undefined) expect(await read({ limit: 3, before: last })).toEqual(ids.slice(3, 6))
  }
})

/** Inserts tickets alternately into two workspaces and indexes them. */
async function fill(store: Store, tickets: number): Promise<void> {
  await migrate(store, systemClock())
  const numbers = (count: number) =>
    `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)`
  await store.migrateWith(async (run) => {
    await run(`insert into users (name, email, created_at) select 'U', 'u' || n, 0 from ${numbers(20)} as every_n`)
    await run(`insert into workspaces (name, time_zone, created_at) select 'W', 'UTC', 0 from ${numbers(2)} as every_n`)
    await run(`insert into projects (workspace_id, name, status, created_at, updated_at)
      select 2 - n % 2, 'P', 'active', 0, 0 from ${numbers(10)} as every_n`)
    await run(`insert into tickets
        (workspace_id, number, title, status, priority, assigned_to, project_id, due_at, tags, created_at, updated_at)
      select 1 + n % 2, (n + 1) / 2, 'Coupon' || case when n % 5000 = 1 then ' rare' else '' end ||
          case when n <= 1000 then ' old' else ' new' end,
        case n % 4 when 1 then 'open' when 2 then 'closed' when 3 then 'pending' else 'resolved' end,
        case n % 3 when 0 then 'high' else 'low' end, 1 + n % 20, 1 + n % 10,
        case when n % 400 = 1 then '2026-11-20' end,
        case n % 3 when 1 then '["billing"]' else '["other"]' end, 0, 0 from ${numbers(tickets)} as every_n`)
  })
  await rebuildTicketSearch(store)
}
