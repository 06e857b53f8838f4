import { expect, test } from 'vitest'
import { signedInVisitor } from './dashboard-person.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { seedWorkspace } from './workspace.ts'

/** Names that every object inherits, or that change its prototype. */
const inheritedNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

onEveryStore('a list or object in a request', (start) => {
  test('with too many items is refused with one sentence, before its items are checked', async () => {
    const server = await start({ rateLimit: 'off' })
    const { workspace } = await seedWorkspace(server)
    const root = await signedIn(server, 'Root', { isInstanceAdmin: true })
    const many = Array.from({ length: 100_000 }, () => '')
    const rule = { name: 'R', trigger: 'ticket_created', actions: [{ type: 'add_tag', tag: 'a' }] }
    const condition = { field: 'title', operator: 'in', value: many }
    const at = `/workspaces/${workspace.id}`
    const cases = [
      ['/tickets', { title: 'T', tags: many }, 'tags', 50],
      ['/automation-rules', { ...rule, conditions: many }, 'conditions', 20],
      ['/automation-rules', { ...rule, actions: many }, 'actions', 20],
      ['/automation-rules', { ...rule, conditions: [condition] }, 'conditions.0.value', 100],
      ['/webhooks', { url: 'https://r.example.com', events: ['*'], schedule: many }, 'schedule', 20],
    ] as const
    for (const [path, body, field, most] of cases) {
      const { status, body: answer } = await askAdmin(server, root.token, ['POST', at + path, body])
      expect([status, answer]).toEqual([
        422,
        {
          message: `The ${field} field must not be greater than ${most} items.`,
          errors: { [field]: [`The ${field} field must not be greater than ${most} items.`] },
        },
      ])
    }
  })

  test('with many errors names the first 50', async () => {
    const server = await start({ rateLimit: 'off' })
    const { workspace } = await seedWorkspace(server)
    const root = await signedIn(server, 'Root', { isInstanceAdmin: true })
    const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`titel${index}`, 1]))
    const refused = await askAdmin(server, root.token, ['POST', `/workspaces/${workspace.id}/tickets`, unknown])
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toHaveLength(50)
  })

  test('of a route that needs no credential is at most 16 KiB', async () => {
    const server = await start()
    for (const path of ['/sessions', '/sessions/by-link', '/password-resets', '/setup']) {
      const { status } = await askAdmin(server, undefined, ['POST', path, { code: 'x'.repeat(17_000) }])
      expect([path, status]).toEqual([path, 413])
    }
  })

  test('that nests thousands of levels cannot be explained', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const root = await signedIn(server, 'Root', { isInstanceAdmin: true })
    const headers = { authorization: `Bearer ${root.token}`, 'content-type': 'application/json' }
    const body = `{"body":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    for (const path of ['error-reports/explain', 'attendance/explain', 'lead-sources/website/explain']) {
      const url = `${server.origin}/admin/v1/workspaces/${workspace.id}/${path}`
      const refused = await server.fetch(url, { method: 'POST', headers, body })
      expect([path, refused.status, await refused.json()]).toMatchObject([
        path,
        422,
        { errors: { body: [expect.any(String)] } },
      ])
    }
  })

  test('may have names that every object inherits: each is refused, or is data like any other', async () => {
    const server = await start({ rateLimit: 'off', encryptionKey: 'a key of thirty-two characters at least' })
    const { workspace, token } = await seedWorkspace(server)
    const root = await signedIn(server, 'Root', { isInstanceAdmin: true })
    const at = `/workspaces/${workspace.id}`
    const ask = (path: string, text: string) => askAdmin(server, root.token, ['POST', at + path, JSON.parse(text)])
    const hook = (headers: string) => `{"url":"https://r.example.com/","events":["*"],"headers":${headers}}`
    const refused = await ask('/webhooks', hook('{"__proto__":"x"}'))
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      JSON.parse('{"headers.__proto__":["The name __proto__ is not allowed."]}'),
    ])
    const created = await ask('/webhooks', hook('{"constructor":"a","toString":"b","hasOwnProperty":"c"}'))
    expect(created.body.header_names.toSorted()).toEqual(['constructor', 'hasOwnProperty', 'toString'])

    for (const name of inheritedNames) {
      const field = JSON.stringify(name)
      const own = await ask('/tickets', `{"title":"T",${field}:1}`)
      expect([name, own.status, Object.keys(own.body.errors)]).toEqual([name, 422, [name]])
      const triggered = await ask('/trigger', `{"event":"ticket.created","overrides":{"ticket":{${field}:1}}}`)
      expect([name, triggered.status]).toEqual([name, 422])
      // The documented API ignores unknown fields, and its open values accept any text.
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = `{"title":${field},"status":${field},"priority":${field},"category":${field},"tags":[${field}],${field}:1}`
      const ticket = await server.fetch(new URL(path, server.origin), { method: 'POST', headers, body })
      expect([name, ticket.status]).toEqual([name, 201])
    }
  })

  test.each(inheritedNames)('named %s is shown by every page as text', async (name) => {
    const server = await start({ rateLimit: 'off' })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const person = await signedInVisitor(server, { workspace, role: 'admin' })
    const { admin } = server
    const at = { workspace }
    const ticket = await admin.tickets.create(at, { title: name, priority: name, category: name, tags: [name] })
    await admin.tickets.update({ ...at, id: ticket.id }, { status: name })
    const task = await admin.tasks.create(at, { title: name, priority: name })
    await admin.tasks.update({ ...at, id: task.id }, { status: name })
    const project = await admin.projects.create(at, { name, status: name })
    const deal = await admin.deals.create(at, { title: name, stage: name })
    await admin.slaPolicies.update({ ...at, priority: name }, { resolution_minutes: 5 })
    await expect(admin.leadSources.update({ ...at, source: name }, { enabled: true })).rejects.toMatchObject({
      status: 404,
    })
    const action = { type: 'set_status', status: name } as const
    await admin.rules.create(at, { name, trigger: 'ticket_created', actions: [action] })
    const records = [`tickets/${ticket.id}`, `tasks/${task.id}`, `projects/${project.id}`, `deals/${deal.id}`]
    const lists = ['tickets', `tickets?status=${name}&sort=${name}`, 'tasks', 'tasks?view=list', 'projects', 'deals']
    const others = ['deals?view=list', 'leads', 'automation', 'automation/sla', 'settings/audit', 'tickets/export']
    const shown: unknown[] = []
    for (const path of ['overview', ...records, ...lists, ...others]) {
      const page = await person.get(`/dashboard/w/${workspace}/${path}`)
      shown.push([path, page.status, (await page.text()).includes('[native code]')])
    }
    expect(shown.filter((each) => String(each).endsWith(',200,false') === false)).toEqual([])
  })
})
