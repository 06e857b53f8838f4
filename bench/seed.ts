import { writeFileSync } from 'node:fs'
import type { Admin } from '@service/client/admin'
import { createServer } from '@service/server'

export interface SeededWorkspace {
  readonly id: number
  readonly token: string
  readonly user: number
  readonly project: number
}

const workspaces = 10
const atOnce = 100

/** Creates ten workspaces whose tickets are interleaved, as in a real database. */
export async function seed(data: string, tickets: number): Promise<readonly SeededWorkspace[]> {
  await using server = await createServer({ data, synchronous: 'normal' })
  const { admin } = server
  const seeded = await seedWorkspaces(admin)
  for (let made = 0; made < tickets; made += atOnce) {
    const creations = Array.from({ length: atOnce }, (_, offset) => {
      const workspace = seeded[(made + offset) % seeded.length]
      if (workspace === undefined) throw new RangeError('There is no workspace.')
      return admin.tickets.create({ workspace: workspace.id }, newTicket(workspace, made + offset))
    })
    await Promise.all(creations)
  }
  return seeded
}

export async function seedWorkspaces(admin: Admin, count = workspaces): Promise<SeededWorkspace[]> {
  const seeded: SeededWorkspace[] = []
  for (let index = 0; index < count; index += 1) {
    const { id } = await admin.workspaces.create({ name: `Workspace ${index}` })
    const at = { workspace: id }
    const { id: user } = await admin.members.create(at, { name: `Person ${index}`, email: `p${index}@acme.example` })
    const { id: project } = await admin.projects.create(at, { name: `Project ${index}` })
    const { token } = await admin.tokens.create(at, { user_id: user, scopes: ['tickets:read', 'tickets:write'] })
    seeded.push({ id, token, user, project })
  }
  return seeded
}

export const newTicket = ({ user, project }: Pick<SeededWorkspace, 'user' | 'project'>, turn: number) => ({
  title: `The invoice export prints the total without tax, case ${turn}`,
  description: 'Reported by phone. '.repeat(1 + (turn % 20)),
  priority: 'high',
  category: 'bug',
  assigned_to: user,
  project_id: project,
  tags: ['invoice', 'tax', 'export'],
})

const apiPath = ({ id }: SeededWorkspace) => `/api/v1/workspaces/${id}/tickets`

export const listRequests = (seeded: readonly SeededWorkspace[]) =>
  seeded.map((workspace) => ({
    method: 'GET' as const,
    path: apiPath(workspace),
    headers: { authorization: `Bearer ${workspace.token}` },
  }))

export const createRequests = (seeded: readonly SeededWorkspace[]) =>
  seeded.map((workspace, turn) => ({
    method: 'POST' as const,
    path: apiPath(workspace),
    headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(newTicket(workspace, turn)),
  }))

/** Writes the data file of json-server with fifty tickets. */
export function writeJsonFile(file: string): string {
  const tickets = Array.from({ length: 50 }, (_, index) => ({
    id: String(index + 1),
    ...newTicket({ user: 1, project: 1 }, index),
    assignee: { id: 1, name: 'Person 0' },
    creator: { id: 1, name: 'Person 0' },
  }))
  writeFileSync(file, JSON.stringify({ tickets }))
  return file
}
