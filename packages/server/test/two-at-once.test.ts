import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, codeOf, createPerson, goodPassword, signedIn } from './people.ts'
import { startWithTables } from './tables.ts'
import { call, queued, seedWorkspace } from './workspace.ts'

type Request = readonly [string, string, unknown?]

/** Each promise is broken by an unlucky order, so each is tried several times. */
const rounds = 8

async function inRounds(round: (number: number) => Promise<void>): Promise<void> {
  for (let number = 1; number <= rounds; number += 1) await round(number)
}

const statusesOf = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).toSorted()

async function signedInOwners(server: Server, workspace: number, names: readonly string[]) {
  const owners: { id: number; token: string; email: string }[] = []
  for (const name of names) {
    const person = await signedIn(server, name)
    await server.admin.members.create({ workspace }, { name, email: person.email, role: 'owner' })
    owners.push(person)
  }
  return owners
}

onEveryStore('two requests at once', (start) => {
  test.each<{ what: string; against: (at: string, other: number) => Request }>([
    { what: 'remove each other', against: (at, other) => ['DELETE', `${at}/${other}`] },
    { what: 'demote each other', against: (at, other) => ['PATCH', `${at}/${other}`, { role: 'viewer' }] },
  ])('of two owners who $what leave one owner', async ({ against }) => {
    const server = await start()
    await inRounds(async (number) => {
      const { id: workspace } = await server.admin.workspaces.create({ name: `Team ${number}` })
      const [ada, ben] = await signedInOwners(server, workspace, [`Ada${number}`, `Ben${number}`])
      if (ada === undefined || ben === undefined) throw new Error('Two owners were created.')
      const at = `/workspaces/${workspace}/members`
      const answers = await Promise.all([
        askAdmin(server, ada.token, against(at, ben.id)),
        askAdmin(server, ben.token, against(at, ada.id)),
      ])
      expect(statusesOf(answers)[0]).toBe(200)
      const { data } = await server.admin.members.list({ workspace })
      expect(data.filter(({ role }) => role === 'owner')).toHaveLength(1)
    })
  })

  test('of two administrators who disable each other leave one, and the last one cannot demote themselves', async () => {
    const server = await start()
    await inRounds(async (number) => {
      const ada = await signedIn(server, `Ada${number}`, { isInstanceAdmin: true })
      const ben = await signedIn(server, `Ben${number}`, { isInstanceAdmin: true })
      const answers = await Promise.all([
        askAdmin(server, ada.token, ['PATCH', `/users/${ben.id}`, { disabled: true }]),
        askAdmin(server, ben.token, ['PATCH', `/users/${ada.id}`, { is_instance_admin: false }]),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const left = (await server.admin.users.list()).data.filter(
        ({ is_instance_admin, disabled_at }) => is_instance_admin && disabled_at === null,
      )
      expect(left).toHaveLength(1)
      const last = left[0]?.id === ada.id ? ada : ben
      expect(await askAdmin(server, last.token, ['PATCH', `/users/${last.id}`, { disabled: true }])).toMatchObject({
        status: 409,
        body: {
          message: 'This is the last administrator of the instance. Make another person an administrator first.',
        },
      })
      await server.admin.users.update({ id: last.id }, { is_instance_admin: false })
    })
  })

  test('complete the set-up once, with one link or with two', async () => {
    for (const links of [1, 2]) {
      const server = await start()
      const codes: string[] = []
      for (let link = 0; link < links; link += 1) codes.push(codeOf((await server.admin.setupLinks.create()).link))
      const setUp = (name: string, code = '') =>
        askAdmin(server, undefined, [
          'POST',
          '/setup',
          { code, name, email: `${name}@people.example`, password: goodPassword, workspace: name },
        ])
      const answers = await Promise.all([setUp('ada', codes[0]), setUp('ben', codes.at(-1))])
      expect(statusesOf(answers)).toEqual([201, 401])
      expect((await server.admin.users.list()).data).toHaveLength(1)
    }
  })

  test('use a one-time link once', async () => {
    const server = await start()
    const { id } = await createPerson(server, 'Ada')
    await inRounds(async () => {
      const reset = codeOf((await server.admin.users.resetPassword({ id })).link)
      const choose = (password: string) =>
        askAdmin(server, undefined, ['POST', '/password-resets', { code: reset, password }])
      expect(statusesOf(await Promise.all([choose('chosen by the first'), choose('chosen by another')]))).toEqual([
        200, 401,
      ])
      const code = codeOf((await server.admin.users.signInLink({ id })).link)
      const signIn = () => askAdmin(server, undefined, ['POST', '/sessions/by-link', { code }])
      expect(statusesOf(await Promise.all([signIn(), signIn()]))).toEqual([201, 401])
    })
  })

  test('of which one resets the password leave no session and no token that the old one opened', async () => {
    const server = await start()
    await inRounds(async (number) => {
      const { id, email, token } = await signedIn(server, `Ada${number}`)
      const { link } = await server.admin.users.resetPassword({ id })
      const [reset, session, personal, change] = await Promise.all([
        askAdmin(server, undefined, [
          'POST',
          '/password-resets',
          { code: codeOf(link), password: 'a chosen password' },
        ]),
        askAdmin(server, undefined, ['POST', '/sessions', { email, password: goodPassword }]),
        askAdmin(server, token, ['POST', '/users/me/tokens', { name: 'A', expires_at: '2027-01-01T00:00:00Z' }]),
        askAdmin(server, token, [
          'PATCH',
          '/users/me',
          { password: 'of the attacker', current_password: goodPassword },
        ]),
      ])
      // If the attacker's change came first, the link has ended. It is the person's own, so they get another one.
      if (reset.status === 401) {
        expect(change.status).toBe(200)
        return
      }
      expect(reset.status).toBe(200)
      for (const opened of [session, personal])
        if (opened.status === 201)
          expect((await askAdmin(server, opened.body.token, ['GET', '/users/me'])).status).toBe(401)
      expect((await askAdmin(server, token, ['GET', '/users/me'])).status).toBe(401)
      await server.admin.sessions.create({ email, password: 'a chosen password' })
    })
  })

  test('of which one removes a member leave no token that the other created for them', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    await inRounds(async (number) => {
      const person = { name: 'Ben', email: `ben${number}@people.example` }
      const { id } = await server.admin.members.create(at, person)
      const [created] = await Promise.all([
        server.admin.tokens.create(at, { user_id: id, scopes: ['tickets:read'] }).safe(),
        server.admin.members.delete({ ...at, id }),
      ])
      await server.admin.members.create(at, person)
      if (!created.ok) return
      const path = `/api/v1/workspaces/${workspace.id}/tickets`
      expect((await call(server, { path, token: created.data.token })).status).toBe(401)
    })
  })

  test('that create the same thing create it once, and the other is refused', async () => {
    const server = await start()
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const { admin } = server
    const names = ['Late', ' ＬＡＴＥ']
    const creations: readonly (() => Promise<{ readonly status: number | undefined }>)[] = [
      () => statusOf(admin.users.create({ name: 'Ben', email: 'ben@people.example' })),
      () => statusOf(admin.members.create(at, { name: 'Cho', email: 'cho@people.example' })),
      () => statusOf(admin.channels.create(at, { name: 'general' })),
      () => statusOf(admin.sharedViews.create(at, { list: 'tickets', name: names.shift() ?? '', query: 'tag=x' })),
      () => statusOf(admin.employees.create(at, { user_id: member.id, employee_code: 'E-1' })),
      () => statusOf(admin.devices.create(at, { source_type: 'kiosk', external_device_id: 'k1', device_name: 'K' })),
    ]
    for (const create of creations)
      expect((await Promise.all([create(), create()])).map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  test('that give two shared views the same name rename one', async () => {
    const server = await start()
    const { admin } = server
    const at = { workspace: (await seedWorkspace(server)).workspace.id }
    await inRounds(async (number) => {
      const share = (name: string) => admin.sharedViews.create(at, { list: 'tickets', name, query: 'tag=x' })
      const views = [await share(`First ${number}`), await share(`Second ${number}`)]
      const names = [`Late ${number}`, `LATE ${number}`]
      const renamed = await Promise.all(
        views.map(({ id }, index) => statusOf(admin.sharedViews.update({ ...at, id }, { name: names[index] ?? '' }))),
      )
      expect(renamed.map(({ status }) => status).toSorted()).toEqual([201, 409])
      for (const { id } of views) await admin.sharedViews.delete({ ...at, id })
    })
  })

  test("of which each saves, shares, or deletes one of a person's views change them all", async () => {
    const server = await start()
    const { admin } = server
    const at = { workspace: (await seedWorkspace(server)).workspace.id }
    const ada = await signedInVisitor(server, { ...at, role: 'admin' })
    const path = `/dashboard/w/${at.workspace}/tickets`
    const namesShown = async () => {
      const html = await (await ada.get(path)).text()
      return /<nav class="tabs"[\s\S]*?<\/nav>/.exec(html)?.[0].match(/View \d/g) ?? []
    }
    const names = [1, 2, 3, 4, 5].map((number) => `View ${number}`)
    const change = (fields: (name: string) => Record<string, string>) =>
      Promise.all(names.map((name) => ada.post(`${path}/views?search=${name}`, fields(name))))
    await inRounds(async () => {
      await change((name) => ({ name }))
      expect((await namesShown()).toSorted()).toEqual(names)
      await change((name) => ({ delete: name }))
      expect(await namesShown()).toEqual([])
    })
    await change((name) => ({ name }))
    await change((name) => ({ share: name }))
    expect((await admin.sharedViews.list(at)).data.map(({ name }) => name).toSorted()).toEqual(names)
  })

  test('that add tags to a ticket keep both, also if a rule adds one', async () => {
    const server = await start()
    const { admin } = server
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const errors = { ...at, integration: 'errors' } as const
    const { secret } = await admin.integrations.rotateSecret(errors)
    await admin.rules.create(at, {
      name: 'Tag',
      trigger: 'error_reported',
      actions: [{ type: 'add_tag', tag: 'reported' }],
      enabled: true,
    })
    await inRounds(async (number) => {
      const report = () =>
        call(server, {
          path: `/api/webhooks/${workspace.id}/errors`,
          method: 'POST',
          headers: { 'x-service-webhook-secret': secret },
          body: { message: `Failure ${'x'.repeat(number)}`, severity: 'error' },
        })
      await report()
      const [ticket] = (await admin.tickets.list(at, { limit: 1 })).data
      const { id = 0 } = ticket ?? {}
      await admin.tickets.update({ ...at, id }, { tags: [] })
      await Promise.all([report(), admin.tickets.update({ ...at, id }, { tags: ['from a person'] })])
      expect((await admin.tickets.get({ ...at, id })).tags).toContain('from a person')
    })
  })

  test('that convert two leads of one company create its account once', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    await server.admin.leadSources.update({ ...at, source: 'website' }, { enabled: true })
    await inRounds(async (number) => {
      const lead = (name: string) => server.admin.leads.create(at, { name, source: 'website' })
      const [one, two] = [await lead('Ada'), await lead('Ben')]
      const convert = ({ id }: { id: number }) =>
        server.admin.leads.convert({ ...at, id }, { title: 'Order', account_name: `Company ${number}` })
      const deals = await Promise.all([convert(one), convert(two)])
      expect(new Set(deals.map(({ account_id }) => account_id)).size).toBe(1)
    })
  })

  test('that resolve a ticket emit ticket.resolved once', async () => {
    const server = await start()
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    await inRounds(async (number) => {
      const { id } = await server.admin.tickets.create(at, { title: `Ticket ${number}` })
      const resolve = (status: string) => server.admin.tickets.update({ ...at, id }, { status })
      await Promise.all([resolve('resolved'), resolve('closed'), resolve('resolved')])
      const events = (await queued(server, workspace)) as { event: string; ticket?: { id: number } }[] // as sent
      expect(events.filter(({ event, ticket }) => event === 'ticket.resolved' && ticket?.id === id)).toHaveLength(1)
    })
  })
})

async function statusOf(created: Promise<unknown>): Promise<{ readonly status: number | undefined }> {
  return created.then(
    () => ({ status: 201 }),
    (refused: { status?: number }) => ({ status: refused.status }),
  )
}

const waitingForLocks = `select pg_stat_clear_snapshot(), count(*) as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('on PostgreSQL, what refers to a record that is deleted at the same moment is refused or does without it', async () => {
  const { server, tables } = await startWithTables('postgres')
  const { workspace } = await seedWorkspace(server)
  const at = { workspace: workspace.id }
  await server.admin.leadSources.update({ ...at, source: 'website' }, { enabled: true })
  const account = (name: string) => server.admin.accounts.create(at, { name })
  const [first, second, third] = [await account('A'), await account('B'), await account('C')]
  const channel = await server.admin.channels.create(at, { name: 'news' })
  const parent = await server.admin.tasks.create(at, { title: 'Parent' })
  const deal = await server.admin.deals.create(at, { title: 'Order' })
  const lead = await server.admin.leads.create(at, { name: 'Ada', source: 'website' })
  const { admin } = server
  const races: [string, number, () => PromiseLike<unknown>][] = [
    ['tasks', parent.id, () => admin.tasks.create(at, { title: 'Child', parent_id: parent.id })],
    ['accounts', first.id, () => admin.deals.create(at, { title: 'Order', account_id: first.id })],
    ['accounts', second.id, () => admin.deals.update({ ...at, id: deal.id }, { account_id: second.id })],
    ['channels', channel.id, () => admin.messages.create(at, { body: 'Hello', channel_id: channel.id })],
    ['accounts', third.id, () => admin.leads.convert({ ...at, id: lead.id }, { title: 'Order', account_name: 'C' })],
  ]
  const results: unknown[] = []
  for (const [table, id, refer] of races) {
    await tables.rows('begin')
    await tables.rows(`delete from ${table} where workspace_id = ${workspace.id} and id = ${id}`)
    const asked = Promise.resolve(refer()).then(
      () => 'done',
      ({ status }: { status: number }) => status,
    )
    await expect.poll(async () => (await tables.rows(waitingForLocks))[0]?.['waiting']).toBe(1)
    await tables.rows('commit')
    results.push(await asked)
  }
  expect(results).toEqual([422, 422, 422, 422, 'done'])
})
