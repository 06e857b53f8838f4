import { createServer } from '@service/server'
import type { TicketOwners } from './many-tickets.ts'

export type Place = NonNullable<Parameters<typeof createServer>[0]>

/** Makes the workspaces, people and projects whose many tickets are to be. */
export async function makeOwners(place: Place): Promise<TicketOwners> {
  await using server = await createServer(place)
  const { admin } = server
  const [first, second] = [
    await admin.workspaces.create({ name: 'Large' }),
    await admin.workspaces.create({ name: 'Small' }),
  ]
  const users: number[] = []
  const projects: number[] = []
  const at = { workspace: first.id }
  for (let index = 0; index < 40; index += 1)
    users.push((await admin.members.create(at, { name: `P ${index}`, email: `p${index}@example.org` })).id)
  for (let index = 0; index < 20; index += 1)
    projects.push((await admin.projects.create(at, { name: `J ${index}` })).id)
  return { workspaces: [first.id, second.id], users, projects }
}
