import type Sqlite from 'better-sqlite3'
import type { NewTicket } from './create-server.ts'
import { fastInstant } from './fast-instant.ts'
import type { FloorCaller } from './floor-door.ts'

type Named = { readonly id: number; readonly name: string }

/** Ticket, tags and outbox row in one `begin immediate … commit`; nothing when an id is not in the workspace. */
export function createTransaction(database: Sqlite.Database) {
  const run = statements(database)
  return database.transaction((caller: FloorCaller, ticket: NewTicket) => {
    const workspaceId = caller.workspaceId
    const assignee = named(run.member, workspaceId, ticket.assigned_to)
    const project = named(run.project, workspaceId, ticket.project_id)
    const creator = named(run.member, workspaceId, caller.userId)
    if (assignee === undefined || project === undefined) return undefined
    const now = Date.now() * 1000
    const { last_number } = run.count.get(workspaceId) as { last_number: number } // an upsert returns its row
    const priority = ticket.priority ?? 'medium'
    const category = ticket.category ?? null
    const { lastInsertRowid } = run.ticket.run(
      workspaceId,
      last_number,
      ticket.title,
      ticket.description ?? null,
      'open',
      priority,
      category,
      assignee?.id ?? null,
      caller.userId,
      project?.id ?? null,
      ticket.due_at ?? null,
      now,
      now,
    )
    const id = Number(lastInsertRowid)
    for (const [position, tag] of (ticket.tags ?? []).entries()) run.tag.run(workspaceId, id, position, tag)
    const ticket_number = `TKT-${String(last_number).padStart(5, '0')}`
    const inEvent = { id, ticket_number, title: ticket.title, status: 'open', priority }
    const timestamp = `${fastInstant(now).slice(0, 19)}+00:00`
    const body = JSON.stringify({ event: 'ticket.created', workspace_id: workspaceId, timestamp, ticket: inEvent })
    run.event.run(workspaceId, 'ticket.created', body, now)
    return {
      ...inEvent,
      category,
      assigned_to: assignee?.id ?? null,
      created_by: caller.userId,
      created_at: fastInstant(now),
      assignee,
      creator,
      project,
    }
  }).immediate
}

function named(find: Sqlite.Statement, workspaceId: number, id: number | null | undefined): Named | null | undefined {
  return id === null || id === undefined ? null : (find.get(workspaceId, id) as Named | undefined) // both select id and name
}

function statements(database: Sqlite.Database) {
  return {
    member: database.prepare(
      'select user_id id, (select name from users where id = user_id) name from members where workspace_id = ? and user_id = ?',
    ),
    project: database.prepare('select id, name from projects where workspace_id = ? and id = ?'),
    count: database.prepare(
      `insert into ticket_counters (workspace_id, last_number) values (?, 1)
        on conflict (workspace_id) do update set last_number = last_number + 1 returning last_number`,
    ),
    ticket: database.prepare(
      `insert into tickets (workspace_id, number, title, description, status, priority, category, assigned_to, created_by,
        project_id, due_at, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    tag: database.prepare('insert into ticket_tags (workspace_id, ticket_id, position, tag) values (?, ?, ?, ?)'),
    event: database.prepare('insert into events (workspace_id, name, body, created_at) values (?, ?, ?, ?)'),
  }
}
