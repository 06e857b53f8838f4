import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import * as z from 'zod/mini'
import type { SeededWorkspace } from './seed.ts'

// The floor: a careful hand-written implementation of ticket lists and creation with node:http and better-sqlite3. It looks
// up the token, counts the rate limit, checks the body, and commits each ticket and its event to disk. Its schema is
// independent of the platform's.
// Usage: node floor.ts <database file> <seeded workspaces as JSON> <tickets>

const [file = '', workspaces = '[]', tickets = '0'] = process.argv.slice(2)
const seeded = JSON.parse(workspaces) as SeededWorkspace[] // from seed.ts

const database = new Sqlite(file)
database.pragma('journal_mode = wal')
database.pragma('synchronous = normal')
database.exec(`
  create table if not exists users (id integer primary key, name text not null) strict;
  create table if not exists projects (id integer primary key, workspace_id integer not null, name text not null) strict;
  create table if not exists tokens (hash text primary key, workspace_id integer not null, user_id integer not null,
    scopes text not null) strict;
  create table if not exists counters (workspace_id integer primary key, last_number integer not null) strict;
  create table if not exists tickets (id integer primary key, workspace_id integer not null, number integer not null,
    title text not null, description text, status text not null, priority text not null, category text,
    assigned_to integer references users, created_by integer not null references users,
    project_id integer references projects, tags text not null, created_at integer not null,
    updated_at integer not null) strict;
  create unique index if not exists tickets_number on tickets (workspace_id, number);
  create table if not exists events (id integer primary key, workspace_id integer not null, name text not null,
    body text not null, created_at integer not null) strict;
  create index if not exists events_workspace on events (workspace_id, id);`)

const NewTicket = z.object({
  title: z.string().check(z.minLength(1), z.maxLength(255)),
  description: z.nullish(z.string().check(z.maxLength(65_535))),
  priority: z.nullish(z.string().check(z.minLength(1), z.maxLength(64))),
  category: z.nullish(z.string().check(z.minLength(1), z.maxLength(64))),
  assigned_to: z.nullish(z.int().check(z.positive())),
  project_id: z.nullish(z.int().check(z.positive())),
  tags: z.nullish(z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(50))),
})

interface Caller {
  readonly workspace_id: number
  readonly user_id: number
  readonly scopes: string
}
type Named = { readonly id: number; readonly name: string } | null

const find = {
  token: database.prepare<[string], Caller>('select workspace_id, user_id, scopes from tokens where hash = ?'),
  user: database.prepare<[number], Named>('select id, name from users where id = ?'),
  project: database.prepare<[number, number], Named>('select id, name from projects where workspace_id = ? and id = ?'),
  newest: database.prepare<[number], Record<string, number | string | null>>(`
    select t.id, t.number, t.title, t.status, t.priority, t.category, t.assigned_to, t.created_by, t.created_at,
      t.updated_at, assignee.name assignee, creator.name creator
    from tickets t left join users assignee on assignee.id = t.assigned_to left join users creator on creator.id = t.created_by
    where t.workspace_id = ? order by t.number desc limit 50`),
}
const takeNumber = database.prepare<[number], { last_number: number }>(`
  insert into counters values (?, 1) on conflict do update set last_number = last_number + 1 returning last_number`)
const insertTicket = database.prepare(`
  insert into tickets (workspace_id, number, title, description, status, priority, category, assigned_to, created_by,
    project_id, tags, created_at, updated_at) values (?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?)`)
const insertEvent = database.prepare('insert into events (workspace_id, name, body, created_at) values (?, ?, ?, ?)')

const instant = (micros: number) =>
  `${new Date(micros / 1000).toISOString().slice(0, 20)}${String(micros % 1e6).padStart(6, '0')}Z`
const ticketNumber = (number: unknown) => `TKT-${String(number).padStart(5, '0')}`
const named = (id: number | null | undefined, lookup: (id: number) => Named | undefined): Named | undefined =>
  id === null || id === undefined ? null : lookup(id)

const create = database.transaction((caller: Caller, ticket: z.output<typeof NewTicket>) => {
  const { workspace_id, user_id } = caller
  const assignee = named(ticket.assigned_to, (id) => find.user.get(id))
  const project = named(ticket.project_id, (id) => find.project.get(workspace_id, id))
  if (assignee === undefined || project === undefined) return undefined
  const { title, priority = 'medium', category = null } = ticket
  const now = Date.now() * 1000
  const number = takeNumber.get(workspace_id)?.last_number
  const { lastInsertRowid } = insertTicket.run(
    ...[workspace_id, number, title, ticket.description ?? null, priority, category, assignee?.id ?? null, user_id],
    ...[project?.id ?? null, JSON.stringify(ticket.tags ?? []), now, now],
  )
  const created = { id: Number(lastInsertRowid), ticket_number: ticketNumber(number), title, status: 'open', priority }
  const timestamp = `${instant(now).slice(0, 19)}+00:00`
  const event = JSON.stringify({ event: 'ticket.created', workspace_id, timestamp, ticket: created })
  insertEvent.run(workspace_id, 'ticket.created', event, now)
  const people = { assigned_to: assignee?.id ?? null, created_by: user_id, assignee, creator: find.user.get(user_id) }
  return { ...created, category, ...people, project, created_at: instant(now) }
}).immediate

const listed = (row: Record<string, number | string | null>) => ({
  ...{ id: row['id'], ticket_number: ticketNumber(row['number']), title: row['title'], status: row['status'] },
  ...{ priority: row['priority'], category: row['category'], assigned_to: row['assigned_to'] },
  ...{ created_by: row['created_by'], created_at: instant(Number(row['created_at'])) },
  updated_at: instant(Number(row['updated_at'])),
  assignee: row['assigned_to'] === null ? null : { id: row['assigned_to'], name: row['assignee'] },
  creator: { id: row['created_by'], name: row['creator'] },
})

function fill(): void {
  for (const { id, token, user, project } of seeded) {
    database.prepare('insert into users values (?, ?)').run(user, `Person ${user}`)
    database.prepare('insert into projects values (?, ?, ?)').run(project, id, `Project ${project}`)
    const scopes = '["tickets:read","tickets:write"]'
    database.prepare('insert into tokens values (?, ?, ?, ?)').run(hashOf(token), id, user, scopes)
  }
  for (let turn = 0; turn < Number(tickets); turn += 1) {
    const workspace = seeded[turn % seeded.length]
    if (workspace === undefined) return
    const ticket = {
      title: `Case ${turn}`,
      assigned_to: workspace.user,
      project_id: workspace.project,
      tags: ['a', 'b', 'c'],
    }
    create({ workspace_id: workspace.id, user_id: workspace.user, scopes: '' }, ticket)
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const windows = new Map<string, { hits: number; endsAt: number }>()
const limit = 1_000_000_000

function remainingOf(hash: string): number {
  const now = Date.now()
  const known = windows.get(hash)
  const window = known !== undefined && now < known.endsAt ? known : { hits: 0, endsAt: now + 60_000 }
  if (window !== known) windows.set(hash, window)
  window.hits += 1
  return limit - window.hits
}

function handle(request: IncomingMessage, response: ServerResponse) {
  const hash = hashOf(request.headers.authorization?.slice('Bearer '.length) ?? '')
  const remaining = remainingOf(hash)
  const reply = (status: number, data: unknown): void => {
    const json = JSON.stringify(status < 300 ? { data } : { message: data })
    const counted = { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) }
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(json),
      ...counted,
    })
    response.end(json)
  }
  const [, workspace] = /^\/api\/v1\/workspaces\/(\d+)\/tickets$/.exec(request.url ?? '') ?? []
  const caller = find.token.get(hash)
  if (workspace === undefined) return reply(404, 'Not found.')
  if (caller === undefined) return reply(401, 'Unauthenticated.')
  const scope = request.method === 'POST' ? '"tickets:write"' : '"tickets:read"'
  if (caller.workspace_id !== Number(workspace) || !caller.scopes.includes(scope)) return reply(403, 'Forbidden.')
  if (request.method !== 'POST') return reply(200, find.newest.all(caller.workspace_id).map(listed))
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const parsed = z.safeParse(NewTicket, JSON.parse(Buffer.concat(chunks).toString()))
    const created = parsed.success ? create(caller, parsed.data) : undefined
    return created === undefined ? reply(422, 'Invalid.') : reply(201, created)
  })
}

fill()
database.pragma('synchronous = full')
const server = createServer(handle).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // a listening TCP server has an address
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${port}` }))
})
process.once('SIGTERM', () => process.exit())
