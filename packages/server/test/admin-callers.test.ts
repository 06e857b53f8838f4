import { eventNames } from '@service/contract'
import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { call, seedWorkspace } from './workspace.ts'

const adminToken = 'admin-token-of-enough-characters'

/** A signed-in member of the workspace with this role. */
async function memberOf(server: Server, workspace: number, role: 'viewer' | 'member' | 'admin') {
  const person = await signedIn(server, `the-${role}`)
  await server.admin.members.create({ workspace }, { name: person.name, email: person.email, role })
  return person
}

/** The response about a workspace that is not the caller's, without the id. */
async function refusalOf(server: Server, token: string, workspace: number) {
  const { status, body } = await askAdmin(server, token, ['GET', `/workspaces/${workspace}/webhooks`])
  return { status, message: body.message.replace(String(workspace), 'ID') }
}

onEveryStore('who calls administration', (start) => {
  test('sends a bearer token, with any case of the scheme and extra spaces', async () => {
    const server = await start({ adminToken })
    const statusOf = async (authorization: string) =>
      (await call(server, { path: '/admin/v1/workspaces', headers: { authorization } })).status
    for (const good of [`Bearer ${adminToken}`, `bearer   ${adminToken}`, `BEARER ${adminToken}  `])
      expect(await statusOf(good)).toBe(200)
    for (const bad of [`Basic ${adminToken}`, adminToken, `x Bearer ${adminToken}`, `Bearer ${adminToken} x`])
      expect(await statusOf(bad)).toBe(401)
    const { status, headers, body } = await askAdmin(server, undefined, ['GET', '/workspaces'])
    expect([status, headers.get('www-authenticate'), body]).toEqual([401, 'Bearer', { message: 'Unauthenticated.' }])
  })

  test('can do what their role allows in a workspace, and finds no other workspace', async () => {
    const server = await start({ adminToken })
    const { id: own } = await server.admin.workspaces.create({ name: 'Acme' })
    const { id: other } = await server.admin.workspaces.create({ name: 'Umbrella' })
    const { token } = await memberOf(server, own, 'viewer')
    expect((await askAdmin(server, token, ['GET', `/workspaces/${own}/tickets`])).status).toBe(200)
    expect(await askAdmin(server, token, ['POST', `/workspaces/${own}/tickets`, { title: 'x' }])).toMatchObject({
      ...{ status: 403, body: { message: 'This needs the role member; yours is viewer.' } },
    })
    expect(await askAdmin(server, token, ['GET', '/workspaces'])).toMatchObject({
      ...{ status: 403, body: { message: 'This needs the role instance; yours is person.' } },
    })
    expect((await askAdmin(server, token, ['GET', `/workspaces/${other}/tickets`])).status).toBe(404)
    for (const who of [adminToken, token])
      expect((await askAdmin(server, who, ['GET', `/workspaces/${other + 1}/tickets`])).status).toBe(404)
    expect(await refusalOf(server, token, other)).toEqual(await refusalOf(server, token, other + 1))
  })

  test('with an API token can manage only the webhooks of its workspace, and only with the scope', async () => {
    const server = await start()
    const { workspace, member, token: unscoped } = await seedWorkspace(server, { scopes: ['tickets:write'] })
    const { id: other } = await server.admin.workspaces.create({ name: 'Umbrella' })
    const { token } = await server.admin.tokens.create(
      { workspace: workspace.id },
      { user_id: member.id, scopes: ['webhooks:manage'] },
    )
    const get = async (who: string, path: string) => {
      const { status, body } = await askAdmin(server, who, ['GET', path])
      return [status, body.message]
    }
    const webhooks = `/workspaces/${workspace.id}/webhooks`
    expect(await get(token, webhooks)).toEqual([200, undefined])
    expect(await get(unscoped, webhooks)).toEqual([403, 'This token lacks the scope webhooks:manage.'])
    expect(await get(token, `/workspaces/${workspace.id}/tickets`)).toEqual([
      403,
      'API tokens can call only the webhook routes of the admin API.',
    ])
    expect((await get(token, `/workspaces/${other}/webhooks`))[0]).toBe(404)
    expect(await refusalOf(server, token, other)).toEqual(await refusalOf(server, token, other + 1))
    expect((await get(token, '/users/me'))[0]).toBe(403)
  })

  test('cannot trigger events with an API token; a person can, and becomes the author', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server, { scopes: ['webhooks:manage'] })
    const ben = await signedIn(server, 'Ben')
    const at = { workspace: workspace.id }
    await server.admin.members.create(at, { name: 'Ben', email: ben.email, role: 'admin' })
    const trigger = (who: string, event: string, overrides = {}) =>
      askAdmin(server, who, ['POST', `/workspaces/${workspace.id}/trigger`, { event, overrides }])
    for (const event of eventNames) expect((await trigger(token, event)).status).toBe(403)
    expect((await server.admin.tickets.list(at)).data).toEqual([])
    for (const event of eventNames) expect((await trigger(ben.token, event)).status).toBe(200)
    const tickets = (await server.admin.tickets.list(at)).data
    const tasks = (await server.admin.tasks.list(at)).data
    const messages = (await server.admin.messages.list(at, {})).data
    for (const list of [tickets, tasks, messages]) expect(list.length).toBeGreaterThan(0)
    const authors = [
      ...tickets.map(({ creator }) => creator?.id),
      ...(await Promise.all(tasks.map(({ id }) => server.admin.tasks.get({ ...at, id })))).map(
        (task) => task.created_by,
      ),
      ...messages.map(({ author_id }) => author_id),
    ]
    expect(new Set(authors)).toEqual(new Set([ben.id]))
    const ticket = { id: tickets[0]?.id, priority: 'urgent' }
    await trigger(ben.token, 'ticket.updated', { ticket })
    const { timeline } = await server.admin.tickets.get({ ...at, id: tickets[0]?.id ?? 0 })
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: 'changed', by: expect.objectContaining({ id: ben.id }) }),
    )
  })

  test('needs a session or personal token to read an account', async () => {
    const server = await start({ adminToken })
    const { token } = await signedIn(server, 'Ada')
    const own = await askAdmin(server, token, [
      'POST',
      '/users/me/tokens',
      { name: 'Script', expires_at: '2027-01-01T00:00:00Z' },
    ])
    expect(own.status).toBe(201)
    for (const who of [token, own.body.token])
      expect((await askAdmin(server, who, ['GET', '/users/me'])).status).toBe(200)
    expect(await askAdmin(server, adminToken, ['GET', '/users/me'])).toMatchObject({
      ...{ status: 403, body: { message: 'This route requires a person. Sign in or send a personal access token.' } },
    })
  })

  test('is throttled after ten wrong tokens; valid tokens still work, and a missing token does not count', async () => {
    const server = await start({ adminToken })
    const statuses = async (token: string | undefined) => {
      const answers: number[] = []
      for (let guess = 0; guess < 10; guess += 1)
        answers.push((await askAdmin(server, token, ['GET', '/workspaces'])).status)
      return new Set(answers)
    }
    expect(await statuses(undefined)).toEqual(new Set([401]))
    expect((await askAdmin(server, adminToken, ['GET', '/workspaces'])).status).toBe(200)
    expect(await statuses('a-wrong-token-of-enough-characters')).toEqual(new Set([401]))
    expect((await askAdmin(server, 'another-wrong-token', ['GET', '/workspaces'])).status).toBe(429)
    expect((await askAdmin(server, adminToken, ['GET', '/workspaces'])).status).toBe(200)
    expect((await server.admin.workspaces.list()).data).toEqual([])
  })

  test('is recorded as the creator if they are a member or an administrator, and in the history of their changes', async () => {
    const server = await start({ adminToken })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
    const member = await memberOf(server, workspace, 'member')
    const administrator = await signedIn(server, 'Root', { isInstanceAdmin: true })
    const create = async (token: string) =>
      (await askAdmin(server, token, ['POST', `/workspaces/${workspace}/tickets`, { title: 'Toner' }])).body
    const [own, ...others] = [await create(member.token), await create(administrator.token), await create(adminToken)]
    expect(own.created_by).toBe(member.id)
    expect(others.map(({ created_by }) => created_by)).toEqual([administrator.id, null])
    const path = `/workspaces/${workspace}/tickets/${own.id}`
    await askAdmin(server, member.token, ['PATCH', path, { priority: 'high' }])
    await askAdmin(server, adminToken, ['PATCH', path, { priority: 'low' }])
    const { timeline } = await server.admin.tickets.get({ workspace, id: own.id })
    const changed = timeline.filter(({ kind }) => kind === 'changed')
    expect(changed.map(({ by }) => by)).toEqual([
      expect.objectContaining({ kind: 'user', id: member.id }),
      { kind: 'instance_token', id: null, name: 'Admin token' },
    ])
  })
})
