import { createServer, type Server } from '@service/server'
import { rebuildTicketSearch } from '../../packages/server/src/modules/tickets/rebuild-search.ts'
import { openPostgres } from '../../packages/server/src/store/postgres.ts'
import { openSqlite } from '../../packages/server/src/store/sqlite.ts'
import { setup, teardown } from '../../packages/server/test/postgres.setup.ts'
import { createDatabase } from '../../packages/server/test/postgres-databases.ts'
import { temporaryFolder } from '../data/folder.ts'
import { fillPostgres, fillSqlite, type TicketOwners } from '../data/many-tickets.ts'
import { databaseFile } from '../data/seed.ts'
import { makeOwners, type Place } from '../data/ticket-owners.ts'
import { atMost, type Findings, row } from '../findings.ts'
import type { Progress } from '../progress.ts'
import type { Scenario } from './scenario.ts'

const tickets = 1_000_000
const mostMs = 15
const repetitions = 15
const encryptionKey = 'a key that is only used in this measurement, of enough characters'

type Query = NonNullable<Parameters<Server['admin']['tickets']['list']>[1]>

interface ListOfTickets {
  readonly name: string
  readonly query: (owners: TicketOwners) => Query
  /** The second workspace has a tenth of the tickets. */
  readonly inSecond?: true
}

const half = tickets / 2

const lists: readonly ListOfTickets[] = [
  { name: 'the newest 50', query: () => ({}) },
  { name: 'from the middle on', query: () => ({ before: half }) },
  { name: 'status open (the newest 3 %)', query: () => ({ status: 'open' }) },
  { name: 'status closed (3 of 7), from the middle on', query: () => ({ status: 'closed', before: half }) },
  { name: 'status that no ticket has', query: () => ({ status: 'unheard-of' }) },
  { name: 'priority urgent and status pending', query: () => ({ priority: 'urgent', status: 'pending' }) },
  { name: 'somebody who left half-way', query: ({ users }) => ({ assigned_to: users[0] }) },
  {
    name: 'open of a project that ended half-way',
    query: ({ projects }) => ({ project_id: projects[0], status: 'open' }),
  },
  {
    name: 'status, priority, assignee and project',
    query: ({ users, projects }) => ({
      status: 'closed',
      priority: 'low',
      assigned_to: users.at(-1),
      project_id: projects.at(-1),
    }),
  },
  { name: 'a common tag', query: () => ({ tag: 'tag0' }) },
  { name: 'a tag of one in 1,000, open', query: () => ({ tag: 'rare', status: 'open' }) },
  { name: 'the most common word', query: () => ({ search: 'word0' }) },
  { name: 'the most common word, from the middle on', query: () => ({ search: 'word0', before: half }) },
  { name: 'a word of one in 100', query: () => ({ search: 'onepercent' }) },
  {
    name: 'a word of one in 100, open and urgent',
    query: () => ({ search: 'onepercent', status: 'open', priority: 'urgent' }),
  },
  { name: 'a word of one in 10 that only the older half has', query: () => ({ search: 'oldtenth' }) },
  { name: 'the same, open', query: () => ({ search: 'oldtenth', status: 'open' }) },
  { name: 'a word of one ticket', query: () => ({ search: 'unique' }) },
  { name: 'a word that no ticket has', query: () => ({ search: 'unheardof' }) },
  { name: 'three common words', query: () => ({ search: 'word1 word2 word3' }) },
  { name: 'a ticket by its number', query: () => ({ search: 'TKT-500001' }) },
  { name: 'a word of one in 10, in the small workspace', query: () => ({ search: 'oldtenth' }), inSecond: true },
  {
    name: 'word, tag, status and priority',
    query: () => ({ search: 'word3', tag: 'tag1', status: 'closed', priority: 'low' }),
  },
]

/** Lists of administration over a million tickets, with any filter or search, on both databases. */
export const adminLists: Scenario = {
  steps: () => 6,
  async run(_, progress) {
    const sqlite = await onSqlite(progress)
    const postgres = await onPostgres(progress)
    return report(sqlite, postgres)
  },
}

type Times = ReadonlyMap<ListOfTickets, readonly number[]>

async function onSqlite(progress: Progress): Promise<Times> {
  using folder = temporaryFolder()
  const data = folder.path('lists')
  const owners = await makeOwners({ data, synchronous: 'normal', encryptionKey })
  fillSqlite(databaseFile(data), { ...owners, tickets })
  progress(`SQLite has ${tickets} tickets`)
  const store = openSqlite({ path: databaseFile(data), synchronous: 'normal' })
  await rebuildTicketSearch(store)
  await store.close()
  progress('SQLite has the index')
  const times = await measure({ data }, owners)
  progress('SQLite is measured')
  return times
}

async function onPostgres(progress: Progress): Promise<Times> {
  let server = ''
  const provide = (_: string, given: string) => {
    server = given
  }
  await setup({ provide } as Parameters<typeof setup>[0]) // of a test project it needs no more
  const { url, drop } = await createDatabase(server)
  const owners = await makeOwners({ databaseUrl: url, encryptionKey })
  await fillPostgres(url, { ...owners, tickets })
  progress(`PostgreSQL has ${tickets} tickets`)
  const store = await openPostgres({ url, poolSize: 1, namedStatements: true })
  await rebuildTicketSearch(store)
  // What autovacuum does within a minute.
  for (const table of ['tickets', 'ticket_search', 'ticket_tags'])
    await store.migrateWith(async (run) => void (await run(`analyze ${table}`)))
  await store.close()
  progress('PostgreSQL has the index')
  const times = await measure({ databaseUrl: url }, owners)
  progress('PostgreSQL is measured')
  await drop()
  await teardown()
  return times
}

/** Each list again and again in turn, so that none finds the pages of the one before. */
async function measure(place: Place, owners: TicketOwners): Promise<Times> {
  await using server = await createServer({ ...place, encryptionKey })
  const times = new Map<ListOfTickets, number[]>(lists.map((list) => [list, []]))
  for (let round = -2; round < repetitions; round += 1) {
    for (const list of lists) {
      const workspace = owners.workspaces[list.inSecond ? 1 : 0]
      const startedAt = performance.now()
      await server.admin.tickets.list({ workspace }, list.query(owners))
      if (round >= 0) times.get(list)?.push(performance.now() - startedAt)
    }
  }
  return times
}

function report(sqlite: Times, postgres: Times): Findings {
  const slowest = (times: Times) =>
    lists.map((list) => times.get(list) ?? []).toSorted((a, b) => median(b) - median(a))[0] ?? []
  return {
    title: 'Lists of administration: 50 of 1 M tickets by any filter or search',
    method: `One workspace has 900,000 tickets, the other 100,000; each has 15 words from a vocabulary of ${vocabularySize}. A call of server.admin.tickets.list in process, ${repetitions} times each after two that do not count: routing, checks, SQL and JSON, without a port. PostgreSQL runs beside the server on the same machine.`,
    columns: ['SQLite, ms', 'PostgreSQL, ms'],
    rows: lists.map((list) => row(list.name, times(sqlite, list), times(postgres, list))),
    goals: [
      atMost('the slowest list on SQLite, ms', mostMs, slowest(sqlite)),
      atMost('the slowest list on PostgreSQL, ms', mostMs, slowest(postgres)),
    ],
  }
}

const vocabularySize = '20,000'
const times = (all: Times, list: ListOfTickets) => all.get(list) ?? []
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
