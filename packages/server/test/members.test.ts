import { expect, test } from 'vitest'
import { microsPerDay, microsPerMinute } from '../src/core/clock.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, codeOf, goodPassword, signedIn } from './people.ts'
import { call, seedWorkspace } from './workspace.ts'

onEveryStore('members of a workspace', (start) => {
  test('are found by a part of their e-mail address, or of their name in the workspace, page by page', async () => {
    const server = await start()
    const { admin } = server
    const at = { workspace: (await admin.workspaces.create({ name: 'Northwind' })).id }
    const elsewhere = { workspace: (await admin.workspaces.create({ name: 'Elsewhere' })).id }
    for (const [name, email] of [
      ['Ärna Obi', 'arna_obi@people.example'],
      ['Bob 100%', 'bob@people.example'],
      ['Cem', 'cem@firm.example'],
    ] as const)
      await admin.members.create(at, { name, email })
    await admin.members.create(elsewhere, { name: 'Bob', email: 'bobby@people.example' })
    const found = async (search: string, limit?: number) =>
      (await admin.members.list(at, { search, limit }).all()).map(({ email }) => email.split('@')[0])
    expect(await found('BO')).toEqual(['bob'])
    expect([await found('Ärn'), await found('äRN')]).toEqual([['arna_obi'], ['arna_obi']])
    expect(await found('people.EXAMPLE', 1)).toEqual(['bob', 'arna_obi'])
    expect([await found('0%'), await found('a_o'), await found('%b'), await found('zz')]).toEqual([
      ['bob'],
      ['arna_obi'],
      [],
      [],
    ])
  })

  test('can be made owners, and changed or removed as owners, only by owners', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const at = `/workspaces/${workspace.id}/members`
    const [owner, admin] = [await signedIn(server, 'Olu'), await signedIn(server, 'Amy')]
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Olu', email: owner.email, role: 'owner' })
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Amy', email: admin.email, role: 'admin' })
    const refused: [string, string, object?][] = [
      ['PATCH', `${at}/${admin.id}`, { role: 'owner' }],
      ['PATCH', `${at}/${member.id}`, { role: 'owner' }],
      ['POST', at, { name: 'New', email: 'new@people.example', role: 'owner' }],
      ['PATCH', `${at}/${owner.id}`, { role: 'viewer' }],
      ['DELETE', `${at}/${owner.id}`],
    ]
    for (const request of refused)
      expect(await askAdmin(server, admin.token, request)).toMatchObject({
        status: 403,
        body: { message: 'This needs the role owner; yours is admin.' },
      })
    expect((await askAdmin(server, admin.token, ['PATCH', `${at}/${member.id}`, { role: 'admin' }])).status).toBe(200)
    expect((await askAdmin(server, owner.token, ['PATCH', `${at}/${admin.id}`, { role: 'owner' }])).status).toBe(200)
    expect((await askAdmin(server, owner.token, ['PATCH', `${at}/${owner.id}`, { role: 'viewer' }])).status).toBe(200)
    expect(await askAdmin(server, admin.token, ['DELETE', `${at}/${admin.id}`])).toMatchObject({
      status: 409,
      body: {
        message: 'This is the last owner of the workspace who is not disabled. Make another member an owner first.',
      },
    })
  })

  test('include an owner who is not disabled, unless an administrator of the instance disables the last one', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const [first, second] = [await signedIn(server, 'Olu'), await signedIn(server, 'Amy')]
    for (const { email } of [first, second]) await server.admin.members.create(at, { name: 'A', email, role: 'owner' })
    await server.admin.users.update({ id: first.id }, { disabled: true })
    const lastOwner = /last owner of the workspace who is not disabled/
    await expect(server.admin.members.update({ ...at, id: second.id }, { role: 'admin' })).rejects.toThrow(lastOwner)
    await expect(server.admin.members.delete({ ...at, id: second.id })).rejects.toThrow(lastOwner)
    await server.admin.members.delete({ ...at, id: first.id })
    expect(await server.admin.users.update({ id: second.id }, { disabled: true })).toMatchObject({
      disabled_at: expect.any(String),
    })
  })

  test('create tokens for others up to their own role, and those end with it', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const [owner, admin, root] = [
      await signedIn(server, 'Olu'),
      await signedIn(server, 'Amy'),
      await signedIn(server, 'Root', { isInstanceAdmin: true }),
    ]
    await server.admin.members.create(at, { name: 'Olu', email: owner.email, role: 'owner' })
    const rejoin = (role: 'admin' | 'owner') =>
      server.admin.members.create(at, { name: 'Amy', email: admin.email, role })
    await rejoin('admin')
    const create = (token: string, user_id: number) =>
      askAdmin(server, token, [
        'POST',
        `/workspaces/${workspace.id}/tokens`,
        { user_id, name: 'T', scopes: ['tickets:read'] },
      ])
    const isValid = async (token: string) =>
      (await call(server, { token, path: `/api/v1/workspaces/${workspace.id}/tickets` })).status
    expect(await create(admin.token, owner.id)).toMatchObject({
      status: 403,
      body: { message: 'A token for this person needs the role owner; yours is admin.' },
    })
    const own = await create(admin.token, admin.id)
    const ends: (() => Promise<unknown>)[] = [
      () => server.admin.members.update({ ...at, id: admin.id }, { role: 'member' }),
      () => server.admin.members.delete({ ...at, id: admin.id }),
    ]
    for (const end of ends) {
      const other = await create(admin.token, member.id)
      expect([other.status, await isValid(other.body.token)]).toEqual([201, 200])
      await end()
      expect(await isValid(other.body.token)).toBe(401)
      if (end === ends[0]) expect(await isValid(own.body.token)).toBe(200)
      if (end === ends[0]) await server.admin.members.update({ ...at, id: admin.id }, { role: 'owner' })
    }
    const other = await create(root.token, owner.id)
    expect(await isValid(other.body.token)).toBe(200)
    await server.admin.users.update({ id: root.id }, { is_instance_admin: false })
    expect(await isValid(other.body.token)).toBe(401)
  })

  test('lose access at once when removed', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const ada = await signedIn(server, 'Ada')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email: ada.email })
    const tickets = ['GET', `/workspaces/${workspace.id}/tickets`] as const
    expect((await askAdmin(server, ada.token, tickets)).status).toBe(200)
    await server.admin.members.delete({ workspace: workspace.id, id: ada.id })
    expect((await askAdmin(server, ada.token, tickets)).status).toBe(404)
  })

  test('are told apart from administrators of the instance, who are named as such in all that they write', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const root = await signedIn(server, 'Root', { isInstanceAdmin: true })
    const author = { id: root.id, name: 'Root (instance)' }
    const at = `/workspaces/${workspace.id}`
    const ask = async (method: string, path: string, body?: object) =>
      (await askAdmin(server, root.token, [method, at + path, body])).body
    const channel = await ask('POST', '/channels', { name: 'dispatch' })
    const ticket = await ask('POST', '/tickets', { title: 'Late parcel' })
    const task = await ask('POST', '/tasks', { title: 'Call Ben' })
    const message = await ask('POST', '/messages', { channel_id: channel.id, body: 'On its way' })
    await ask('PATCH', `/tickets/${ticket.id}`, { status: 'resolved' })
    expect(ticket).toMatchObject({ created_by: root.id, creator: author })
    expect((await ask('GET', '/tickets')).data[0]).toMatchObject({ creator: author })
    expect((await ask('GET', `/tickets/${ticket.id}`)).timeline).toMatchObject([
      { kind: 'created', by: author },
      { kind: 'resolved', by: author },
    ])
    expect(await ask('GET', `/tasks/${task.id}`)).toMatchObject({ created_by: root.id, creator: author })
    expect(message).toMatchObject({ author })
    expect((await ask('GET', '/messages')).data).toMatchObject([{ author_id: root.id, author }])
    const events = (await server.admin.events.list({ workspace: workspace.id })).data.map(({ name }) => name)
    expect(events.toSorted()).toEqual([
      'message.created',
      'task.created',
      'ticket.created',
      'ticket.resolved',
      'ticket.updated',
    ])
    // Other people cannot write in the name of an administrator who is not a member.
    const ada = await signedIn(server, 'Ada')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email: ada.email, role: 'admin' })
    const forged = { title: 'x', created_by: root.id }
    expect((await askAdmin(server, ada.token, ['POST', `${at}/tickets`, forged])).status).toBe(422)
    expect(await ask('POST', '/tasks', { title: 'x', created_by: member.id })).toMatchObject({ created_by: member.id })
    expect(await ask('POST', '/tasks', { title: 'x', created_by: null })).toMatchObject({ created_by: null })
  })

  test('write in their own name, and only admins in the name of another member', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const at = `/workspaces/${workspace.id}`
    const people = { member: await signedIn(server, 'Mia'), admin: await signedIn(server, 'Amy') }
    for (const role of ['member', 'admin'] as const) {
      const { name, email } = people[role]
      await server.admin.members.create({ workspace: workspace.id }, { name, email, role })
    }
    const channel = await server.admin.channels.create({ workspace: workspace.id }, { name: 'general' })
    const records = [
      ['tickets', 'created_by', { title: 'A' }],
      ['tasks', 'created_by', { title: 'A' }],
      ['messages', 'author_id', { channel_id: channel.id, body: 'A' }],
    ] as const
    for (const [resource, field, record] of records) {
      const create = (role: 'member' | 'admin', id: number | null) =>
        askAdmin(server, people[role].token, ['POST', `${at}/${resource}`, { ...record, [field]: id }])
      const message = `Only admins may create a record for another author. Omit ${field}, or set it to your own user id.`
      for (const other of [member.id, null, 999])
        expect(await create('member', other)).toMatchObject({ status: 403, body: { message } })
      expect((await server.admin[resource].list({ workspace: workspace.id }, {})).data).toEqual([])
      expect((await create('member', people.member.id)).status).toBe(201)
      for (const other of [member.id, null]) expect((await create('admin', other)).status).toBe(201)
    }
  })

  test('without a password are invited by owners with a link of seven days, which ends with the right to it', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const owner = await signedIn(server, 'Olu')
    await server.admin.members.create(at, { name: 'Olu', email: owner.email, role: 'owner' })
    const ask = (method: string, path: string, body?: object) =>
      askAdmin(server, owner.token, [method, `/workspaces/${workspace.id}/members${path}`, body])
    const invite = async (name: string) => {
      const email = `${name.toLowerCase()}@people.example`
      const { id } = (await ask('POST', '', { name, email })).body
      return { id, email, renew: () => ask('POST', `/${id}/invitation`) }
    }
    const invitationOf = async (id: number) =>
      (await ask('GET', '')).body.data.find((member: { id: number }) => member.id === id).invitation
    const complete = (link: string) =>
      askAdmin(server, undefined, ['POST', '/password-resets', { code: codeOf(link), password: goodPassword }])

    const ben = await invite('Ben')
    expect(await invitationOf(ben.id)).toEqual({ expires_at: null })
    const [first, second] = [await ben.renew(), await ben.renew()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await invitationOf(ben.id)).toEqual({ expires_at: second.body.expires_at })
    expect((await complete(first.body.link)).status).toBe(401)
    clock.advance(7 * microsPerDay - microsPerMinute)
    const { token } = await server.admin.sessions.create({ email: owner.email, password: goodPassword })
    expect((await complete(second.body.link)).status).toBe(200)
    const again = { ...owner, token }
    const invitation = (id: number) =>
      askAdmin(server, again.token, ['POST', `/workspaces/${workspace.id}/members/${id}/invitation`])
    expect((await invitation(ben.id)).status).toBe(409)

    // Another workspace, or a creator who is no longer an owner, ends the link.
    const add = async (name: string) =>
      (await server.admin.members.create(at, { name, email: `${name.toLowerCase()}@people.example` })).id
    const [cleo, dan] = [await add('Cleo'), await add('Dan')]
    const links = [(await invitation(cleo)).body.link, (await invitation(dan)).body.link]
    const other = await server.admin.workspaces.create({ name: 'Elsewhere' })
    await server.admin.members.create({ workspace: other.id }, { name: 'Cleo', email: 'cleo@people.example' })
    expect((await complete(links[0])).status).toBe(401)
    expect((await invitation(cleo)).status).toBe(409)
    await server.admin.members.delete({ workspace: other.id, id: cleo })
    expect((await complete(links[0])).status).toBe(401)
    const fay = await add('Fay')
    const toFay = (await invitation(fay)).body.link
    await server.admin.members.delete({ ...at, id: fay })
    await add('Fay')
    expect((await complete(toFay)).status).toBe(401)
    const heir = await signedIn(server, 'Eve')
    await server.admin.members.create(at, { name: 'Eve', email: heir.email, role: 'owner' })
    await server.admin.members.update({ ...at, id: owner.id }, { role: 'admin' })
    expect((await complete(links[1])).status).toBe(401)
    expect((await invitation(dan)).status).toBe(403)
    await server.admin.members.update({ ...at, id: owner.id }, { role: 'owner' })
    expect((await complete(links[1])).status).toBe(401)
    expect((await invitation(dan)).status).toBe(201)
  })

  test('are invited to one workspace by administrators of the instance, too', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const root = await signedIn(server, 'Root', { isInstanceAdmin: true })
    const other = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const both = [{ workspace: other.id }, { workspace: workspace.id }]
    const add = async (name: string) => {
      const person = { name, email: `${name.toLowerCase()}@people.example` }
      for (const at of both) await server.admin.members.create(at, person)
      return (await server.admin.members.list(both[0] ?? { workspace: 0 })).data[0]?.id ?? 0
    }
    const invite = async (id: number): Promise<string> =>
      (await askAdmin(server, root.token, ['POST', `/workspaces/${workspace.id}/members/${id}/invitation`])).body.link
    const complete = (link: string) =>
      askAdmin(server, undefined, ['POST', '/password-resets', { code: codeOf(link), password: goodPassword }])
    const [ben, cleo] = [await add('Ben'), await add('Cleo')]
    const [toBen, toCleo] = [await invite(ben), await invite(cleo)]
    const page = await server.fetch(`${server.origin}/dashboard${toBen}`)
    expect(await page.text()).toContain(`Welcome to ${workspace.name}, Ben`)
    await server.admin.members.delete({ workspace: workspace.id, id: cleo })
    expect((await complete(toCleo)).status).toBe(401)
    expect((await complete(toBen)).status).toBe(200)
  })

  test('who are removed keep their tasks, which can still be read, changed, and deleted', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const { id } = await server.admin.tasks.create(at, { title: 'Call Ben', assigned_to: member.id })
    await server.admin.members.delete({ ...at, id: member.id })
    const assignee = { id: member.id, name: member.name }
    expect(await server.admin.tasks.get({ ...at, id })).toMatchObject({ assigned_to: member.id, assignee })
    expect(await server.admin.tasks.update({ ...at, id }, { title: 'Write' })).toMatchObject({
      title: 'Write',
      assignee,
    })
    expect(await server.admin.tasks.delete({ ...at, id })).toEqual({ id })
  })

  test('who are added by e-mail address have the given name, whether or not another workspace knows them', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const olu = await signedIn(server, 'Olu')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Olu', email: olu.email, role: 'owner' })
    const elsewhere = await seedWorkspace(server, { name: 'Umbrella' })
    const known = { workspace: elsewhere.workspace.id }
    await server.admin.members.create(known, { name: 'Secret Agent', email: 'agent@people.example' })
    const at = `/workspaces/${workspace.id}`
    const ask = (...request: [string, string, object?]) => askAdmin(server, olu.token, request)
    /** Everything a workspace sees of a person that it adds, renames, and removes. */
    const shownOf = async (email: string) => {
      const added = await ask('POST', `${at}/members`, { name: 'Kim', email })
      const { id } = added.body
      const again = await ask('POST', `${at}/members`, { name: 'Kim', email })
      const listed = await ask('GET', `${at}/members/${id}`)
      const own = await ask('POST', `${at}/tokens`, { user_id: id, scopes: ['tickets:write', 'tickets:read'] })
      const path = `/api/v1${at}/tickets`
      const ticket = await call(server, {
        method: 'POST',
        path,
        token: own.body.token,
        body: { title: 'A', assigned_to: id },
      })
      const employee = await ask('POST', `${at}/employees`, { user_id: id, employee_code: email })
      const employees = await ask('GET', `${at}/employees?search=secret%20agent`)
      const deal = await ask('POST', `${at}/deals`, { title: 'A', owner_id: id })
      const deals = await ask('GET', `${at}/deals/${deal.body.id}`)
      const renamed = await ask('PATCH', `${at}/members/${id}`, { name: 'Kim Bo' })
      await ask('DELETE', `${at}/employees/${employee.body.id}`)
      const removed = await ask('DELETE', `${at}/members/${id}`)
      const tickets = await call(server, { path, token })
      const answers = [added, again, listed, ticket, employee, employees, deal, deals, renamed, removed, tickets]
      expect(answers.map(({ status }) => status)).toEqual([201, 409, 200, 201, 201, 200, 201, 200, 200, 200, 200])
      const text = JSON.stringify(answers.map(({ status, body }) => [status, body]))
      return text
        .replaceAll(email, 'their address')
        .replaceAll(`:${id},`, ':their id,')
        .replaceAll(`:${id}}`, ':their id}')
    }
    const shown = await shownOf('agent@people.example')
    expect(shown).not.toContain('Secret')
    expect(shown).toContain('"creator":{"id":their id,"name":"Kim"}')
    const varies = /"(?:id|ticket_number|created_at|updated_at)":(?:\d+|"[^"]*")/g
    const withoutTickets = (text: string) => text.slice(0, text.lastIndexOf('[200,{"data"')).replaceAll(varies, '')
    expect(withoutTickets(await shownOf('stranger@people.example'))).toBe(withoutTickets(shown))
    expect((await server.admin.members.list(known)).data).toContainEqual(
      expect.objectContaining({ name: 'Secret Agent', email: 'agent@people.example' }),
    )
  })

  test('are renamed only in the workspace, unless they or an instance administrator do it', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const [owner, ada] = [await signedIn(server, 'Olu'), await signedIn(server, 'Ada')]
    const at = { workspace: workspace.id }
    await server.admin.members.create(at, { name: 'Olu', email: owner.email, role: 'owner' })
    await server.admin.members.create(at, { name: 'Ada', email: ada.email })
    const rename = (token: string, id: number) =>
      askAdmin(server, token, ['PATCH', `/workspaces/${workspace.id}/members/${id}`, { name: 'Other' }])
    for (const { id } of [ada, owner, member]) expect((await rename(owner.token, id)).body.name).toBe('Other')
    const own = async (token: string) => (await askAdmin(server, token, ['GET', '/users/me'])).body.name
    expect([await own(ada.token), await own(owner.token)]).toEqual(['Ada', 'Other'])
    await server.admin.members.update({ ...at, id: ada.id }, { name: 'Ada Obi' })
    expect([await own(ada.token), (await server.admin.members.get({ ...at, id: ada.id })).name]).toEqual([
      'Ada Obi',
      'Ada Obi',
    ])
  })

  test('create tokens and tickets for themselves unless they name another member', async () => {
    const server = await start({ adminToken: 'admin-token-of-enough-characters' })
    const { workspace, member } = await seedWorkspace(server)
    const ada = await signedIn(server, 'Ada')
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email: ada.email, role: 'admin' })
    const at = `/workspaces/${workspace.id}`
    const create = (body: object, token = ada.token) => askAdmin(server, token, ['POST', `${at}/tokens`, body])
    const own = await create({ scopes: ['tickets:read'] })
    expect(own.body).toMatchObject({ user_id: ada.id })
    expect((await create({ scopes: ['tickets:read'], user_id: member.id })).body).toMatchObject({ user_id: member.id })
    expect(await create({ scopes: ['tickets:read'] }, 'admin-token-of-enough-characters')).toMatchObject({
      status: 422,
    })
    const read = { path: `/api/v1${at}/tickets`, token: own.body.token }
    expect((await call(server, read)).status).toBe(200)
    expect((await askAdmin(server, ada.token, ['DELETE', `${at}/tokens/${own.body.id}`])).status).toBe(200)
    expect((await call(server, read)).status).toBe(401)
    const ticket = await askAdmin(server, ada.token, ['POST', `${at}/tickets`, { title: 'A' }])
    expect(ticket.body).toMatchObject({ created_by: ada.id })
  })
})
