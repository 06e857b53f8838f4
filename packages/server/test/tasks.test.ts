import { Task } from '@service/contract'
import { expect, test } from 'vitest'
import { documentedFields } from './documented-fields.ts'
import { onEveryStore } from './on-every-store.ts'
import { onDisk, startWithTables } from './tables.ts'
import { clientOf, queued, seedWorkspace } from './workspace.ts'

const instant = expect.stringMatching(/^2026-11-20T18:51:53\.\d{6}Z$/)

onEveryStore('creating a task', (start) => {
  test('returns the documented shape with ticket and project, and queues task.created', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    const { workspace, member } = seeded
    const project = await server.admin.projects.create({ workspace: workspace.id }, { name: 'Site' })
    const client = clientOf(server, seeded)
    const ticket = await client.tickets.create({ title: 'Broken' })
    const task = await client.tasks.create({
      title: 'Order a hinge',
      description: 'A left one',
      status: 'review',
      priority: 'urgent',
      project_id: project.id,
      ticket_id: ticket.id,
      assigned_to: member.id,
      due_at: '2026-12-24',
      tags: ['parts'],
    })
    const person = { id: member.id, name: 'Ada Obi' }
    expect(task).toEqual(
      documentedFields(Task, {
        id: 1,
        title: 'Order a hinge',
        status: 'review',
        priority: 'urgent',
        project_id: project.id,
        ticket_id: ticket.id,
        assigned_to: person.id,
        created_by: person.id,
        due_at: '2026-12-24T00:00:00.000000Z',
        created_at: instant,
        assignee: person,
        project: { id: project.id, name: 'Site' },
        ticket: { id: ticket.id, ticket_number: 'TKT-00001', title: 'Broken' },
      }),
    )
    const [first, ...others] = await queued(server, workspace)
    expect(first).toMatchObject({ event: 'ticket.created' })
    expect(others).toEqual([
      {
        event: 'task.created',
        workspace_id: workspace.id,
        timestamp: '2026-11-20T18:51:53+00:00',
        task: {
          id: 1,
          title: 'Order a hinge',
          status: 'review',
          priority: 'urgent',
          project_id: project.id,
          ticket_id: ticket.id,
        },
      },
    ])
  })

  test('requires only a title; status defaults to todo, priority to medium, other fields to null', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    expect(await clientOf(server, seeded).tasks.create({ title: 'Call back' })).toEqual(
      documentedFields(Task, {
        id: 1,
        title: 'Call back',
        status: 'todo',
        priority: 'medium',
        created_by: seeded.member.id,
        created_at: instant,
      }),
    )
  })

  test('returns due dates as midnight UTC', async () => {
    const server = await start()
    const client = clientOf(server, await seedWorkspace(server))
    for (const day of ['0001-01-01', '1969-12-31', '2028-02-29', '9999-12-31']) {
      expect((await client.tasks.create({ title: 'Due', due_at: day })).due_at).toBe(`${day}T00:00:00.000000Z`)
    }
  })
})

onEveryStore('changing a task', (start) => {
  test('queues task.updated with the old and the new values, as answers show them, and nothing if none changes', async () => {
    const server = await start()
    const seeded = await seedWorkspace(server)
    const { id } = await clientOf(server, seeded).tasks.create({ title: 'Call back', due_at: '2026-12-24' })
    const place = { workspace: seeded.workspace.id, id }
    await server.admin.tasks.update(place, { due_at: '2028-02-29', status: 'done', assigned_to: seeded.member.id })
    await server.admin.tasks.update(place, { due_at: '2028-02-29', status: 'done' })
    await server.admin.tasks.update(place, { due_at: null })
    const [, ...updates] = await queued(server, seeded.workspace)
    expect(updates).toMatchObject([
      {
        event: 'task.updated',
        task: { id, title: 'Call back', status: 'done' },
        changes: {
          due_at: { from: '2026-12-24T00:00:00.000000Z', to: '2028-02-29T00:00:00.000000Z' },
          status: { from: 'todo', to: 'done' },
          assigned_to: { from: null, to: seeded.member.id },
        },
      },
      { event: 'task.updated', changes: { due_at: { from: '2028-02-29T00:00:00.000000Z', to: null } } },
    ])
  })
})

onEveryStore(
  'a created task',
  (_start, store) => {
    test('stores description, tags, and parent, which the response omits', async () => {
      const { server, tables } = await startWithTables(store)
      const client = clientOf(server, await seedWorkspace(server))
      const parent = await client.tasks.create({ title: 'Move house' })
      const fields = { title: 'Pack', description: 'Books first', tags: ['boxes', 'books'], parent_id: parent.id }
      const child = await client.tasks.create(fields)
      expect(Object.keys(child).filter((key) => key in fields)).toEqual(['title'])
      expect(await tables.rows(`select description, tags, parent_id from tasks where id = ${child.id}`)).toEqual([
        { description: 'Books first', tags: '["boxes","books"]', parent_id: parent.id },
      ])
    })
  },
  onDisk,
)
