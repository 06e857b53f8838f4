import Sqlite from 'better-sqlite3'
import { openPostgres } from '../../packages/server/src/store/postgres.ts'

// A million tickets as those of a help desk that has grown: most are closed, words are as frequent as words are, and some
// words, people and projects are of one time only.

const statuses = ['closed', 'closed', 'closed', 'resolved', 'resolved', 'pending', 'in_progress']
const priorities = ['low', 'medium', 'medium', 'high', 'urgent']
const vocabulary = 20_000
const batch = 5000
const createdAt = Date.UTC(2026, 0, 1) * 1000

/** Whose they are: nine of ten are the first workspace's. */
export interface TicketOwners {
  readonly workspaces: readonly [number, number]
  readonly users: readonly number[]
  readonly projects: readonly number[]
}

interface ManyTickets extends TicketOwners {
  readonly tickets: number
}

/** Follows from its place alone, so that both databases get the same. */
function ticketAt(index: number, { tickets, users, projects, workspaces }: ManyTickets) {
  const random = randomFrom(index)
  const words = Array.from({ length: 15 }, () => `word${Math.floor(vocabulary ** random()) - 1}`)
  const isOld = index < tickets / 2
  if (index % 100 === 3) words.push('onepercent')
  if (isOld && index % 10 === 3) words.push('oldtenth')
  if (index === 77) words.push('unique')
  const status = index > tickets * 0.97 ? 'open' : statuses[index % statuses.length]
  // The first half of the people and projects have left.
  const era = <Item>(items: readonly Item[], turn: number) =>
    items[(isOld ? 0 : items.length / 2) + (turn % (items.length / 2))]
  return {
    id: index + 1,
    workspace_id: workspaces[index % 10 === 9 ? 1 : 0],
    number: index + 1,
    title: words.slice(0, 5).join(' '),
    description: words.slice(5).join(' '),
    status: status ?? 'open',
    priority: priorities[Math.floor(random() * priorities.length)] ?? 'low',
    assigned_to: index % 6 === 0 ? null : (era(users, index) ?? null),
    project_id: index % 3 === 0 ? null : (era(projects, Math.floor(index / 3)) ?? null),
    resolved_at: status === 'closed' || status === 'resolved' ? createdAt + index : null,
    created_at: createdAt + index,
    updated_at: createdAt + index,
    tags: [`tag${Math.floor(200 ** random()) - 1}`, ...(index % 1000 === 5 ? ['rare'] : [])],
  }
}

/** A small generator (mulberry32): every run makes the same tickets. */
function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const columns = [
  'id',
  'workspace_id',
  'number',
  'title',
  'description',
  'status',
  'priority',
  'assigned_to',
  'project_id',
  'resolved_at',
  'created_at',
  'updated_at',
] as const

/** Straight into the tables of a database, without the index that lists are found by. */
export function fillSqlite(file: string, many: ManyTickets): void {
  const database = new Sqlite(file)
  const insert = database.prepare(
    `insert into tickets (${columns.join(', ')}) values (${columns.map((column) => `@${column}`).join(', ')})`,
  )
  const tag = database.prepare('insert into ticket_tags (workspace_id, ticket_id, position, tag) values (?, ?, ?, ?)')
  for (let from = 0; from < many.tickets; from += batch) {
    database.transaction(() => {
      for (let index = from; index < from + batch; index += 1) {
        const { tags, ...ticket } = ticketAt(index, many)
        insert.run(ticket)
        for (const [position, text] of tags.entries()) tag.run(ticket.workspace_id, ticket.id, position, text)
      }
    })()
  }
  database.close()
}

/** The same into PostgreSQL. */
export async function fillPostgres(url: string, many: ManyTickets): Promise<void> {
  const store = await openPostgres({ url, poolSize: 1, namedStatements: true })
  await store.migrateWith(async (run) => {
    for (let from = 0; from < many.tickets; from += batch) {
      const tickets = Array.from({ length: batch }, (_, offset) => ticketAt(from + offset, many))
      const tags = tickets.flatMap(({ workspace_id, id, tags }) =>
        tags.map((tag, position) => ({ workspace_id, ticket_id: id, position, tag })),
      )
      await run(
        `insert into tickets (${columns.join(', ')}) select ${columns.join(', ')} from json_populate_recordset(null::tickets, $1)`,
        [JSON.stringify(tickets)],
      )
      await run('insert into ticket_tags select * from json_populate_recordset(null::ticket_tags, $1)', [
        JSON.stringify(tags),
      ])
    }
  })
  await store.close()
}
