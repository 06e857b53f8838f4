import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { call, seedWorkspace } from './workspace.ts'

onEveryStore('creating a ticket', (start) => {
  test('answers 201 with the documented shape and queues ticket.created', async () => {
    const server = await start()
    const { workspace, member, token } = await seedWorkspace(server)
    const project = await server.admin.projects.create({ workspace_id: workspace.id, name: 'Site' })
    const { status, body } = await call(server, {
      method: 'POST',
      path: `/api/v1/workspaces/${workspace.id}/tickets`,
      token,
      body: {
        title: 'Broken',
        priority: 'high',
        assigned_to: member.id,
        project_id: project.id,
        tags: ['a', 'b'],
        due_at: '2026-12-01',
      },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: 1,
        ticket_number: 'TKT-00001',
        title: 'Broken',
        status: 'open',
        priority: 'high',
        category: null,
        assigned_to: member.id,
        created_by: member.id,
        created_at: expect.stringMatching(/^2026-11-20T18:51:53\.\d{6}Z$/),
        assignee: { id: member.id, name: 'Ada Obi' },
        creator: { id: member.id, name: 'Ada Obi' },
        project: { id: project.id, name: 'Site' },
      },
    })
    const events = await server.admin.events.list(workspace.id)
    expect(events.map(({ body }) => JSON.parse(body))).toEqual([
      {
        event: 'ticket.created',
        workspace_id: workspace.id,
        timestamp: '2026-11-20T18:51:53+00:00',
        ticket: { id: 1, ticket_number: 'TKT-00001', title: 'Broken', status: 'open', priority: 'high' },
      },
    ])
  })
})
