import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { call, queued, seedWorkspace } from './workspace.ts'

onEveryStore('an id in a body', (start) => {
  async function startTwo() {
    const server = await start()
    const seeded = await seedWorkspace(server, { name: 'Acme' })
    const other = await seedWorkspace(server, { name: 'Umbrella' })
    const workspace_id = other.workspace.id
    const project = await server.admin.projects.create({ workspace: workspace_id }, { name: 'Theirs' })
    const ticket = await server.admin.tickets.create({ workspace: workspace_id }, { title: 'Theirs' })
    const task = await server.admin.tasks.create({ workspace: workspace_id }, { title: 'Theirs' })
    const theirs = { project_id: project.id, ticket_id: ticket.id, parent_id: task.id, assigned_to: other.member.id }
    return { server, ...seeded, theirs }
  }

  const notHere = (field: string) => `The selected ${field} is not in this workspace.`

  test('is rejected with the same message whether it belongs to another workspace or does not exist', async () => {
    const { server, workspace, token, theirs } = await startTwo()
    const fields = { tickets: ['assigned_to', 'project_id'], tasks: Object.keys(theirs) }
    for (const [resource, names] of Object.entries(fields)) {
      for (const field of names) {
        for (const id of [theirs[field as keyof typeof theirs], 999]) {
          const { status, body } = await call(server, {
            method: 'POST',
            path: `/api/v1/workspaces/${workspace.id}/${resource}`,
            token,
            body: { title: 'Ours', [field]: id },
          })
          expect([status, body]).toEqual([422, { message: notHere(field), errors: { [field]: [notHere(field)] } }])
        }
      }
    }
    expect(await queued(server, workspace)).toEqual([])
  })

  test('is reported together with all other unknown ids', async () => {
    const { server, workspace, token, theirs } = await startTwo()
    const { status, body } = await call(server, {
      method: 'POST',
      path: `/api/v1/workspaces/${workspace.id}/tasks`,
      token,
      body: { title: 'Ours', ...theirs },
    })
    expect(status).toBe(422)
    expect(body.message).toBe(`${notHere('project_id')} (and 3 more errors)`)
    expect(body.errors).toEqual(Object.fromEntries(Object.keys(theirs).map((field) => [field, [notHere(field)]])))
  })

  test('leaves no gap in the ticket numbers if it is rejected', async () => {
    const { server, workspace, token, theirs } = await startTwo()
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const create = (body: object) => call(server, { method: 'POST', path, token, body })
    await create({ title: 'First' })
    await create({ title: 'Refused', project_id: theirs.project_id })
    expect((await create({ title: 'Second' })).body.data.ticket_number).toBe('TKT-00002')
  })
})
