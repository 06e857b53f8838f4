import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/core/system-clock.ts'
import { matchingIds, type TicketFilter } from '../src/modules/tickets/search-queries.ts'
import { migrate } from '../src/store/migrate.ts'
import { openPostgres } from '../src/store/postgres.ts'
import { openSqlite } from '../src/store/sqlite.ts'
import { placeOf } from './on-every-store.ts'

// How lists of tickets are found, as the databases themselves explain it. `pnpm bench --only admin-lists` has the times.

const filters: readonly TicketFilter[] = [
  { status: 'open' },
  { priority: 'high' },
  { assigned_to: 7 },
  { project_id: 3 },
  { tag: 'billing' },
  { words: ['rare'] },
  { status: 'open', priority: 'high', assigned_to: 7, project_id: 3, tag: 'billing', words: ['rare', 'coupon'] },
]

const planLines = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

test('SQLite finds tickets by any filter in the index of terms, newest first, without sorting or scanning', async () => {
  const store = openSqlite({ path: ':memory:', synchronous: 'normal' })
  onTestFinished(() => store.close())
  await migrate(store, systemClock())
  for (const filter of filters) {
    const query = matchingIds('sqlite', 1, { ...filter, limit: 50, before: 1000 })
    const { rows } = await sql`explain query plan ${query}`.execute(store.db)
    // `M` is the MATCH, `<` the bound on the id: both are the index's own work.
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

test('PostgreSQL finds tickets by any filter through an index, and reads no table from end to end', async () => {
  const { options, remove } = await placeOf('postgres')
  const store = await openPostgres({ url: options.databaseUrl ?? '', poolSize: 2, namedStatements: true })
  onTestFinished(async () => {
    await store.close()
    await remove()
  })
  await migrate(store, systemClock())
  // Enough that an index is worth its while: 4,000 tickets of two workspaces, with words that are in all and in few.
  await store.migrateWith(async (run) => {
    await run(`insert into users (name, email, created_at) select 'U', 'u' || n, 0 from generate_series(1, 20) n`)
    await run(`insert into workspaces (name, time_zone, created_at) select 'W', 'UTC', 0 from generate_series(1, 2) n`)
    await run(`insert into projects (workspace_id, name, status, created_at, updated_at)
      select 1, 'P', 'active', 0, 0 from generate_series(1, 10) n`)
    await run(`insert into tickets (workspace_id, number, title, status, priority, assigned_to, project_id, created_at, updated_at)
      select 1 + n % 2, n, 'T', (array['open','closed','pending','resolved'])[1 + n / 2 % 4],
        (array['low','medium','high','urgent'])[1 + n / 3 % 4], 1 + n % 20, 1 + n % 10, 0, 0 from generate_series(1, 4000) n`)
    await run(`insert into ticket_tags (workspace_id, ticket_id, position, tag)
      select workspace_id, id, 0, case when id % 50 = 0 then 'billing' else 'other' end from tickets`)
    await run(`insert into ticket_search (workspace_id, ticket_id, search)
      select workspace_id, id, ('''w:' || workspace_id || ''' coupon w' || id % 500 || case when id % 100 = 0 then ' rare' else '' end)::tsvector from tickets`)
  })
  await store.migrateWith(async (run) => void (await run('analyze')))
  for (const filter of filters) {
    const query = matchingIds('postgres', 1, { ...filter, limit: 50, before: 4000 }).compile(store.db)
    let lines = ''
    await store.migrateWith(async (run) => {
      // A table as small as this is soon read; what counts is that an index can answer.
      await run('set local enable_seqscan = off')
      lines = planLines(await run(`explain ${query.sql}`, query.parameters))
    })
    expect([filter, lines]).toEqual([filter, expect.not.stringContaining('Seq Scan')])
    expect([filter, lines]).toEqual([filter, expect.stringMatching(/Index Cond|Bitmap Index Scan/)])
    if (filter.words !== undefined) expect(lines).toMatch(/ticket_search_(words|pkey)/)
  }
})
