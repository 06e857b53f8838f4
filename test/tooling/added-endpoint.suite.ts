import { createClient } from '@service/client'
import type { Scope } from '@service/contract'
import { expect, test } from 'vitest'
import { recordOperations } from '../../docs/.vitepress/reference/examples.ts'
import { coveragePage } from '../../packages/server/build/coverage-table.ts'
import { eventsTable } from '../../packages/server/build/events-table.ts'
import { runChecks } from '../../packages/server/src/conformance/run-checks.ts'
import { createServer, type Server } from '../../packages/server/src/index.ts'
import { createOpenApiDocument } from '../../packages/server/src/openapi/document.ts'
import { createTestServer } from '../../packages/server/src/testing/entries/testing.ts'
import { signedInVisitor } from '../../packages/server/test/dashboard-person.ts'

// add-endpoint.test.ts runs this suite with the edited sources, so the endpoint, the field, and the event exist only at run time.

const path = '/api/v1/workspaces/{workspace}/tasks/{id}/due-date'

async function startWithTask() {
  const server = await createServer()
  const workspace = await server.admin.workspaces.create({ name: 'Acme' })
  const at = { workspace: workspace.id }
  const { id: user_id } = await server.admin.members.create(at, { name: 'Ada Obi', email: 'ada@acme.example' })
  const task = await server.admin.tasks.create(at, { title: 'Relaunch' })
  const tokenFor = async (scope: Scope) => (await server.admin.tokens.create(at, { user_id, scopes: [scope] })).token
  return { server, workspace, task, tokenFor }
}

/** The method is not in the types of the unedited client. */
function postponeTask(server: Server, workspace: number, token: string) {
  const baseUrl = `${server.origin}/api/v1`
  const client = createClient({ baseUrl, token, workspace, fetch: server.fetch, maxRetries: 0 })
  return (id: number, change: object) => Object(client.tasks).postpone(id, change).safe()
}

test('postpones a task, refuses another one and a caller without the scope', async () => {
  const { server, workspace, task, tokenFor } = await startWithTask()
  const postpone = postponeTask(server, workspace.id, await tokenFor('tasks:write'))
  expect((await postpone(task.id, { priority: 'high' })).data).toMatchObject({ id: task.id, priority: 'high' })
  expect((await postpone(999, { priority: 'low' })).error.status).toBe(404)
  const reader = postponeTask(server, workspace.id, await tokenFor('tickets:read'))
  expect((await reader(task.id, { priority: 'low' })).error.status).toBe(403)
  await server.close()
})

test('is in the OpenAPI document, the coverage table, the conformance checks, and the examples of the reference', async () => {
  expect(createOpenApiDocument().paths?.[path]?.patch?.operationId).toBe('tasks.postpone')
  expect(coveragePage()).toContain(`PATCH ${path}`)
  const { server, workspace, tokenFor } = await startWithTask()
  const settings = {
    baseUrl: `${server.origin}/api/v1`,
    webhookBaseUrl: `${server.origin}/api`,
    workspace: workspace.id,
    token: await tokenFor('tasks:write'),
    secrets: {},
    fetch: server.fetch,
  }
  const findings = await runChecks(settings, { write: true })
  expect(findings.map(({ check }) => check.operation)).toContain('tasks.postpone')
  await server.close()
  expect((await recordOperations()).get(`PATCH ${path}`)?.status).toBe(200)
})

test('a field has a place in the answer, the form, and the export, beside fields with its label', async () => {
  const { server, workspace } = await startWithTask()
  const at = { workspace: workspace.id }
  const account = await server.admin.accounts.create(at, { name: 'Fabrikam' })
  const input = { title: 'Renewal', account_id: account.id, buyer: 'Tailspin Toys' }
  expect(await server.admin.deals.create(at, input)).toMatchObject(input)
  const ada = await signedInVisitor(server, { workspace: workspace.id, role: 'member' })
  const pages = `/dashboard/w/${workspace.id}/deals`
  expect(await (await ada.get(`${pages}/new`)).text()).toContain('name="buyer"')
  const [head = '', row = ''] = (await (await ada.get(`${pages}/export`)).text()).split('\r\n')
  expect(head.split(',').filter((label) => label === 'Account')).toHaveLength(2)
  expect(row.split(',')).toEqual(expect.arrayContaining(['Renewal', 'Tailspin Toys', 'Fabrikam']))
  await server.close()
})

test('an event of another resource is triggered with its own values, is delivered, and has a row on the page of webhooks', async () => {
  const server = await createTestServer()
  const inbox = server.webhooks.capture()
  // The unedited types do not know the event.
  await Object(server).trigger('visit.updated', { visit: { visitor: 'Lena Fischer' } })
  expect((await inbox.next()).event).toMatchObject({ event: 'visit.updated', visit: { visitor: 'Lena Fischer' } })
  expect(eventsTable()).toContain('| `visit.updated` | a visit changes | `visit`, `changes` |')
  await server.close()
})
