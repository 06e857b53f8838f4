import { expect, test } from 'vitest'
import { visitor } from './dashboard-person.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, codeOf, goodPassword, signedIn } from './people.ts'
import { call, seedWorkspace } from './workspace.ts'

onEveryStore('records', (start) => {
  test('are found by the beginnings of their words, in their workspace, also after a change', async () => {
    const server = await start()
    const { admin } = server
    const { workspace, member } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const other = { workspace: (await admin.workspaces.create({ name: 'Other' })).id }
    const lead = { name: 'Zoë Müller-Brandt', source: 'website', email: 'zoe.mueller@fabrikam.example' } as const
    const { id } = await admin.leads.create(at, { ...lead, phone: '+49 30 1234567', company: "O'Brien & Söhne" })
    await admin.leads.create(at, { name: 'Zack', source: 'website' })
    await admin.leads.create(other, lead)
    const leads = async (search: string) => (await admin.leads.list(at, { search })).data.map((found) => found.id)
    for (const search of [
      'zoë',
      'ZOE',
      'brandt mü',
      'mueller@fabri',
      '1234',
      'o’brien',
      'söh',
      'z zoe.mueller@fabrikam.example',
    ])
      expect(await leads(search), search).toEqual([id])
    for (const search of ['oë', 'zoe zack', '...', 'xw1', `w${at.workspace}`])
      expect(await leads(search), search).toEqual([])
    await admin.leads.update({ ...at, id }, { name: 'Ada', status: 'contacted' })
    expect(await leads('brandt')).toEqual([])
    expect(await leads('ad')).toEqual([id])

    const account = await admin.accounts.create(at, { name: 'Fabrikam Bremen' })
    const deal = await admin.deals.create(at, { title: 'Annual license' })
    const task = await admin.tasks.create(at, { title: 'Buy an extinguisher' })
    const project = await admin.projects.create(at, { name: 'Relaunch of the shop' })
    const channel = await admin.channels.create(at, { name: 'general' })
    const message = await admin.messages.create(at, {
      channel_id: channel.id,
      author_id: member.id,
      body: 'The van is late.',
    })
    const ids = async (list: PromiseLike<{ data: { id: number }[] }>) => (await list).data.map((found) => found.id)
    expect(await ids(admin.accounts.list(at, { search: 'brem' }))).toEqual([account.id])
    expect(await ids(admin.deals.list(at, { search: 'lic ann' }))).toEqual([deal.id])
    expect(await ids(admin.tasks.list(at, { search: 'exting' }))).toEqual([task.id])
    expect(await ids(admin.projects.list(at, { search: 'shop' }))).toEqual([project.id])
    expect(await ids(admin.messages.list(at, { search: 'late', channel_id: channel.id }))).toEqual([message.id])
    await admin.tasks.delete({ ...at, id: task.id })
    expect(await ids(admin.tasks.list(at, { search: 'exting' }))).toEqual([])
  })

  test('are paged, filtered, and sorted as lists without a search', async () => {
    const server = await start()
    const { admin } = server
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const amounts = [3, 1, 2]
    for (const amount of amounts) await admin.deals.create(at, { title: `Van ${amount}`, amount })
    await admin.deals.create(at, { title: 'Other' })
    await admin.deals.create(at, { title: 'Van won', stage: 'won' })
    const titles = (deals: readonly { title: string }[]) => deals.map(({ title }) => title)
    const open = { search: 'van', stage: 'prospecting', limit: 2 }
    expect(titles(await admin.deals.list(at, open).all())).toEqual(['Van 2', 'Van 1', 'Van 3'])
    expect(titles(await admin.deals.list(at, { ...open, sort: 'amount' }).all())).toEqual(['Van 3', 'Van 2', 'Van 1'])
  })
})

onEveryStore('errors and employees', (start) => {
  test('are found by what their newest report says, and by code, name, and address', async () => {
    const server = await start()
    const { admin } = server
    const at = { workspace: (await admin.workspaces.create({ name: 'Northwind' })).id }
    const other = { workspace: (await admin.workspaces.create({ name: 'Other' })).id }
    const post = async ({ workspace }: typeof at, message: string) => {
      const { secret } = await admin.integrations.rotateSecret({ workspace, integration: 'errors' })
      const headers = { 'x-service-webhook-secret': secret }
      const body = { exception: 'App\\Payment_Timeout', message, fingerprint: ['payment'] }
      return call(server, { method: 'POST', path: `/api/webhooks/${workspace}/errors`, body, headers })
    }
    for (const message of ['Order 17 is unpaid', 'Café order 18: no answer']) await post(at, message)
    await post(other, 'Café order 19: no answer')
    const errors = async (query: object) =>
      (await admin.errorReports.list(at, query)).data.map(({ message }) => message)
    for (const query of [{ search: 'cafe 18' }, { search: 'timeo ans' }, { search: 'order', sort: 'last_seen' }])
      expect(await errors({ ...query, status: 'open' }), query.search).toEqual(['Café order 18: no answer'])
    for (const search of ['17', 'unpaid', '19', 'meout', '%!']) expect(await errors({ search }), search).toEqual([])

    const grace = { name: 'Grace Hopper', email: 'grace@people.example', employee_code: 'E-10' }
    const { id } = await admin.employees.create(at, grace)
    await admin.employees.create(other, grace)
    const employees = async (search: string) => (await admin.employees.list(at, { search })).data.map((one) => one.id)
    for (const search of ['hopp e-10', 'HOPPER, Grace', 'grace@people', '10'])
      expect(await employees(search), search).toEqual([id])
    for (const search of ['opper', 'e-11', '-']) expect(await employees(search), search).toEqual([])
    await admin.employees.update({ ...at, id }, { employee_code: 'E-11' })
    expect(await employees('e-11')).toEqual([id])
    await admin.employees.delete({ ...at, id })
    expect(await employees('grace')).toEqual([])
  })
})

onEveryStore('an employee', (start) => {
  test('is found by the name that a workspace shows, in whatever way it was changed, and not by the former one', async () => {
    const server = await start()
    const { admin } = server
    const at = { workspace: (await admin.workspaces.create({ name: 'Northwind' })).id }
    const elsewhere = { workspace: (await admin.workspaces.create({ name: 'Elsewhere' })).id }
    const email = 'kim@people.example'
    const { user_id: id } = await admin.employees.create(at, { name: 'Aldo', email })
    await admin.members.create(elsewhere, { name: 'Kim', email })
    await admin.employees.create(elsewhere, { user_id: id })
    for (const place of [at, elsewhere])
      await admin.employees.create(place, { name: 'Other', email: 'other@people.example' })

    const { link } = await admin.setupLinks.create()
    const setUp = { code: codeOf(link), name: 'Bruno', email, password: goodPassword, workspace: 'First' }
    const kim = visitor(server)
    const ownerToken = async () => {
      const olu = await signedIn(server, 'Olu')
      await admin.members.create(at, { name: 'Olu', email: olu.email, role: 'owner' })
      return olu.token
    }
    let owner = ''
    const members = `/workspaces/${at.workspace}/members`
    const shown = { at: 'Aldo', elsewhere: 'Aldo' }
    const expectFound = async () => {
      for (const [place, name] of [
        [at, shown.at],
        [elsewhere, shown.elsewhere],
      ] as const)
        for (const search of names) {
          const found = (await admin.employees.list(place, { search })).data.map(({ user_id }) => user_id)
          expect([search, found]).toEqual([search, search === name ? [id] : []])
        }
    }
    const changes: [name: string, change: (name: string) => PromiseLike<unknown>, changed?: keyof typeof shown][] = [
      ['Bruno', () => admin.setup.complete(setUp)],
      ['Carla', (name) => admin.users.update({ id }, { name })],
      [
        'Dario',
        async (name) => {
          await kim.post('/dashboard/sign-in', { email, password: goodPassword })
          await kim.post('/dashboard/account/name', { name })
        },
      ],
      [
        'Elio',
        async (name) => {
          owner = await ownerToken()
          await askAdmin(server, owner, ['PATCH', `${members}/${id}`, { name }])
        },
        'at',
      ],
      ['Fabia', (name) => admin.users.update({ id }, { name }), 'elsewhere'],
      ['Gino', (name) => admin.members.update({ ...at, id }, { name })],
      [
        'Hugo',
        async (name) => {
          await admin.members.delete({ ...at, id })
          await admin.users.update({ id }, { name, is_instance_admin: true })
        },
      ],
      ['Ines', (name) => askAdmin(server, owner, ['POST', members, { name, email }]), 'at'],
    ]
    const names = ['Aldo', ...changes.map(([name]) => name)]
    await expectFound()
    for (const [name, change, changed] of changes) {
      await change(name)
      for (const place of changed === undefined ? (['at', 'elsewhere'] as const) : [changed]) shown[place] = name
      await expectFound()
    }
    expect((await admin.employees.list(at, { search: email })).data).toMatchObject([{ user: { name: 'Ines' } }])
  })
})

onEveryStore('a lead and the deal made from it', (start) => {
  test('name each other', async () => {
    const server = await start()
    const { admin } = server
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    const lead = await admin.leads.create(at, { name: 'Grace Hopper', source: 'website' })
    expect((await admin.leads.get({ ...at, id: lead.id })).deal).toBeNull()
    const deal = await admin.leads.convert({ ...at, id: lead.id }, { title: 'Annual license' })
    expect((await admin.leads.get({ ...at, id: lead.id })).deal).toEqual({ id: deal.id, title: 'Annual license' })
    expect((await admin.deals.get({ ...at, id: deal.id })).lead).toEqual({ id: lead.id, name: 'Grace Hopper' })
    const own = await admin.deals.create(at, { title: 'Without a lead' })
    expect((await admin.deals.get({ ...at, id: own.id })).lead).toBeNull()
  })
})
