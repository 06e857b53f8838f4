import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type Server } from '@service/server'
import Sqlite from 'better-sqlite3'
import { seededTicket } from './seeded-ticket.ts'

/** A workspace of the seeded database, with what a request to it needs. */
export interface SeededWorkspace {
  readonly id: number
  readonly token: string
  readonly users: readonly number[]
  readonly projects: readonly number[]
}

/** How many workspaces, and how many people and projects each has. */
export interface Shape {
  readonly workspaces: number
  readonly members: number
  readonly projects: number
}

const usualShape: Shape = { workspaces: 10, members: 20, projects: 10 }

export const databaseFile = (data: string) => join(data, 'service.db')

/**
 * Fills a fresh data directory. The tickets take turns through the workspaces, so that the newest fifty of one lie
 * scattered over many pages, as they do in a database that has grown.
 */
export async function seed(data: string, tickets: number, shape = usualShape): Promise<readonly SeededWorkspace[]> {
  const server = await createServer({ data, synchronous: 'normal' })
  const workspaces = await seedWorkspaces(server, shape)
  await server.close()
  insertTickets(data, workspaces, tickets)
  return workspaces
}

/** The same content for another server: two of them must not share one file while both are measured. */
export function copyData(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
}

export async function seedWorkspaces(server: Server, shape = usualShape): Promise<readonly SeededWorkspace[]> {
  const workspaces: SeededWorkspace[] = []
  for (let index = 0; index < shape.workspaces; index += 1) workspaces.push(await seedWorkspace(server, index, shape))
  return workspaces
}

async function seedWorkspace({ admin }: Server, index: number, shape: Shape): Promise<SeededWorkspace> {
  const { id: workspace_id } = await admin.workspaces.create({ name: `Workspace ${index + 1}` })
  const users: number[] = []
  for (let member = 0; member < shape.members; member += 1) {
    const name = `Person ${member + 1} of workspace ${index + 1}`
    const email = `person${member}@workspace${index}.example`
    users.push((await admin.members.create({ workspace: workspace_id }, { name, email, role: 'member' })).id)
  }
  const projects: number[] = []
  for (let project = 0; project < shape.projects; project += 1) {
    projects.push((await admin.projects.create({ workspace: workspace_id }, { name: `Project ${project + 1}` })).id)
  }
  const scopes = ['tickets:read', 'tickets:write'] as const
  const { token } = await admin.tokens.create(
    { workspace: workspace_id },
    { user_id: users[0] ?? 0, scopes: [...scopes] },
  )
  return { id: workspace_id, token, users, projects }
}

/** Straight into the table: a million tickets through the front door would take longer than all measurements. */
function insertTickets(data: string, workspaces: readonly SeededWorkspace[], tickets: number): void {
  const database = new Sqlite(databaseFile(data))
  const insert = database.prepare(`
    insert into tickets (workspace_id, number, title, description, status, priority, category, assigned_to, created_by,
      project_id, due_at, created_at, updated_at)
    values (@workspace_id, @number, @title, @description, @status, @priority, @category, @assigned_to, @created_by,
      @project_id, @due_at, @created_at, @updated_at)`)
  const count = database.prepare('insert into ticket_counters (workspace_id, last_number) values (?, ?)')
  database.transaction(() => {
    for (let index = 0; index < tickets; index += 1) {
      const workspace = workspaces[index % workspaces.length]
      const turn = Math.floor(index / workspaces.length)
      if (workspace !== undefined) insert.run(seededTicket(workspace, { turn, turns: tickets / workspaces.length }))
    }
    for (const { id } of workspaces) count.run(id, Math.ceil(tickets / workspaces.length))
  })()
  // No `analyze`: the server runs none, and with its statistics SQLite plans a statement anew at each execution.
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}
