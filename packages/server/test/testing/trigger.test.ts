import { eventNames, eventSchemas, listTickets } from '@service/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer } from '../../src/testing/entries/testing.ts'
import { call, pathOf, seedWorkspace } from '../workspace.ts'

const adminToken = 'admin_token_of_enough_characters'

async function start() {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', adminToken })
  onTestFinished(() => server.close())
  return server
}

test.each(eventNames)('%s is triggered by a real change and reaches an inbox', async (name) => {
  const server = await start()
  await seedWorkspace(server)
  const inbox = server.webhooks.capture(name)
  const event = await server.trigger(name)
  expect(eventSchemas[name].parse(event)).toEqual(event)
  expect((await inbox.next(name)).event).toEqual(event)
})

test('the object of a triggered event can be read', async () => {
  const server = await start()
  const { workspace, token } = await seedWorkspace(server)
  const { ticket } = await server.trigger('ticket.resolved', { ticket: { title: 'Printer on fire' } })
  const { body } = await call(server, { path: pathOf(listTickets, workspace.id), token })
  expect(body).toMatchObject({ data: [{ id: ticket.id, title: 'Printer on fire', status: 'resolved' }] })
})

test('overrides set fields of new and existing objects', async () => {
  const server = await start()
  const { workspace } = await seedWorkspace(server)
  const { task } = await server.trigger('task.created', { task: { title: 'Call back', priority: 'urgent' } })
  expect(task).toMatchObject({ title: 'Call back', priority: 'urgent' })
  const updated = await server.trigger('task.updated', { task: { id: task.id, title: 'Called back' } })
  expect(updated).toMatchObject({
    task: { id: task.id, title: 'Called back', priority: 'urgent' },
    changes: { title: { from: 'Call back', to: 'Called back' } },
  })
  const later = await server.admin.workspaces.create({ name: 'Later' })
  expect(await server.trigger('project.updated', { workspace_id: later.id })).toMatchObject({ workspace_id: later.id })
  expect((await server.admin.projects.list({ workspace: workspace.id })).data).toEqual([])
})

test('an event can be triggered again for the same object', async () => {
  const server = await start()
  const { ticket } = await server.trigger('ticket.resolved')
  const again = await server.trigger('ticket.resolved', { ticket: { id: ticket.id } })
  expect(again.ticket.id).toBe(ticket.id)
  const { task } = await server.trigger('task.updated')
  expect((await server.trigger('task.updated', { task: { id: task.id } })).changes).toEqual({
    status: { from: 'in_progress', to: 'review' },
  })
})

test('a workspace is created if there is none', async () => {
  const server = await start()
  const { workspace_id } = await server.trigger('message.created', { message: { body: 'Hello' } })
  expect((await server.admin.workspaces.list()).data.toReversed()).toMatchObject([{ id: workspace_id }])
})

test.each([
  ['ticket.created', { task: { title: 'x' } }, { task: ['The event ticket.created has no task.'] }],
  ['ticket.updated', { ticket: { color: 'red' } }, { 'ticket.color': ['The color of a ticket cannot be set.'] }],
  [
    'task.created',
    { task: { id: 7 } },
    { 'task.id': ['task.created is about a new task, whose id is not known beforehand.'] },
  ],
] as const)('an invalid override of %s is rejected with its path', async (event, overrides, errors) => {
  const server = await start()
  const failure = await server.trigger(event, overrides).catch((fault: unknown) => fault)
  expect(failure).toMatchObject({ code: 'validation', errors })
})

test('a change without an effect is rejected and stores nothing', async () => {
  const server = await start()
  const { task, workspace_id } = await server.trigger('task.created', { task: { title: 'Same' } })
  const events = (await server.admin.events.list({ workspace: workspace_id })).data.toReversed()
  await expect(server.trigger('task.updated', { task: { id: task.id, title: 'Same' } })).rejects.toThrow(
    'Nothing has changed, so there is no task.updated',
  )
  await expect(server.trigger('task.updated', { task: { id: 99 } })).rejects.toMatchObject({ code: 'not_found' })
  expect((await server.admin.events.list({ workspace: workspace_id })).data.toReversed()).toEqual(events)
})

test('the admin API triggers events', async () => {
  const server = await start()
  const { workspace } = await seedWorkspace(server)
  const inbox = server.webhooks.capture()
  const path = `/admin/v1/workspaces/${workspace.id}/trigger`
  const { status, body } = await call(server, {
    method: 'POST',
    path,
    token: adminToken,
    body: { event: 'ticket.created', overrides: { ticket: { title: 'Over HTTP' } } },
  })
  expect([status, body]).toMatchObject([200, { ticket: { title: 'Over HTTP' } }])
  expect((await inbox.next()).event).toEqual(body)
  const refused = await call(server, { method: 'POST', path, token: adminToken, body: { event: 'invoice.paid' } })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['event']])
  expect((await call(server, { method: 'POST', path, body: { event: 'ticket.created' } })).status).toBe(401)
})
