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

  test('of a person who has left the workspace stays valid until it changes', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const { admin } = server
    const gone = await admin.members.create(at, { name: 'Cam', email: 'cam@people.example' })
    const named = { assigned_to: gone.id }
    const ticket = { ...at, id: (await admin.tickets.create(at, { title: 'Old', ...named })).id }
    const free = { ...at, id: (await admin.tickets.create(at, { title: 'Free' })).id }
    const task = { ...at, id: (await admin.tasks.create(at, { title: 'Old', ...named })).id }
    const account = await admin.accounts.create(at, { name: 'Initech' })
    const owned = { owner_id: gone.id, account_id: account.id }
    const deal = { ...at, id: (await admin.deals.create(at, { title: 'Old', ...owned })).id }
    await admin.members.delete({ ...at, id: gone.id })
    const changed = { title: 'New' }
    expect(await admin.tickets.update(ticket, { ...changed, ...named })).toMatchObject({ ...changed, ...named })
    expect(await admin.tasks.update(task, { ...changed, ...named })).toMatchObject({ ...changed, ...named })
    expect(await admin.deals.update(deal, { ...changed, ...owned })).toMatchObject({ ...changed, ...owned })
    await expect(admin.tickets.update(free, named)).rejects.toThrow(notHere('assigned_to'))
    await admin.tasks.update(task, { assigned_to: null })
    await expect(admin.tasks.update(task, named)).rejects.toThrow(notHere('assigned_to'))
    await admin.deals.update(deal, { owner_id: null })
    await expect(admin.deals.update(deal, owned)).rejects.toThrow(notHere('owner_id'))
  })
})
