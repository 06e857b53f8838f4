import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { seedWorkspace } from './workspace.ts'

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
