import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createServer } from '../src/index.ts'
import { signedInVisitor } from './dashboard-person.ts'
import { onEveryStore } from './on-every-store.ts'
import { isInRequest } from './sent-statements.ts'
import { startWithTables } from './tables.ts'

const unknownFiles = [
  '/dashboard/assets',
  '/dashboard/assets/',
  '/dashboard/assets/x',
  '/dashboard/assets/x/',
  '/dashboard/assets/0/unknown.js',
  '/dashboard/assets/0/dashboard.css/',
  '/dashboard/assets/0/dashboard.css/x',
  '/dashboard/assets/0/..%2f..%2fpackage.json',
  '/dashboard/assets/0/%E0%A4%A',
  '/dashboard/assets/0/%00',
  '/dashboard/assets/0/DASHBOARD.CSS',
  '/dashboard/assets/__proto__/constructor',
  '/docs/unknown.js',
  '/docs/scalar.js/',
  '/docs/..%2fpackage.json',
  '/docs/__proto__',
  '/openapi.json/',
  '/admin/v1/openapi.json/',
  '/llms.txt/x',
]

onEveryStore('a file that does not exist', (start) => {
  test('is 404 for every method, over a port and in process, and writes nothing to stderr', async () => {
    const written = [vi.spyOn(console, 'error'), vi.spyOn(process.stderr, 'write')]
    onTestFinished(() => {
      for (const spy of written) spy.mockRestore()
    })
    const server = await start({ rateLimit: 'off' })
    const { url } = await server.listen()
    for (const path of unknownFiles)
      for (const method of ['GET', 'HEAD']) {
        expect([path, (await fetch(url + path, { method, redirect: 'manual' })).status]).toEqual([path, 404])
        const inProcess = await server.fetch(new URL(path, server.origin), { method, redirect: 'manual' })
        expect([path, inProcess.status]).toEqual([path, 404])
      }
    for (const spy of written) expect(spy).not.toHaveBeenCalled()
  })
})

onEveryStore('a change of selected rows', (start) => {
  test('is refused beyond 100 rows, with a sentence and without any effect', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const member = await signedInVisitor(server, { workspace, role: 'member' })
    const ids: number[] = []
    for (let count = 0; count < 101; count += 1)
      ids.push((await server.admin.tickets.create({ workspace }, { title: 'T' })).id)
    const change = (selected: readonly unknown[]) =>
      member.post(
        `/dashboard/w/${workspace}/tickets/bulk`,
        new URLSearchParams([['priority', 'urgent'], ...selected.map((id) => ['id', String(id)])]),
      )
    const refused = await change(ids)
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('Nothing was changed: select at most 100 rows at once.')
    expect((await server.admin.tickets.list({ workspace }, { priority: 'urgent' })).data).toEqual([])
    // Repeated ids count once.
    expect((await change([...ids.slice(1), ...ids.slice(1)])).status).toBe(303)
    const { data } = await server.admin.tickets.list({ workspace }, { priority: 'urgent', limit: 200 })
    expect(data).toHaveLength(100)
  })

  test('is refused with a page that says so if the form is too large', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const member = await signedInVisitor(server, { workspace, role: 'member' })
    const ids = Array.from({ length: 50_000 }, (_, index) => ['id', String(1_000_000_000 + index)])
    const refused = await member.post(`/dashboard/w/${workspace}/tickets/bulk`, new URLSearchParams(ids))
    expect(refused.status).toBe(413)
    const page = await refused.text()
    expect(page).toContain('must not be larger than')
    expect(page).toContain('Select fewer rows, or shorten the texts.')
  })

  test('lets other requests in between its rows, even if no row exists', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const member = await signedInVisitor(server, { workspace, role: 'member' })
    let turns = 0
    const count = () => {
      turns += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const ids = Array.from({ length: 100 }, (_, index) => ['id', String(1000 + index)])
    await member.post(`/dashboard/w/${workspace}/tickets/bulk`, new URLSearchParams([['priority', 'urgent'], ...ids]))
    clearImmediate(counting)
    expect(turns).toBeGreaterThan(3)
  })
})

onEveryStore('a board', (start) => {
  test('shows 50 cards of a column, and links to the list for the others', async () => {
    const server = await start()
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    const member = await signedInVisitor(server, { workspace, role: 'member' })
    const deals = `/dashboard/w/${workspace}/deals`
    const more = `href="${deals}?view=list&amp;stage=won"`
    const create = () => server.admin.deals.create({ workspace }, { title: 'Support', stage: 'won' })
    for (let count = 0; count < 49; count += 1) await create()
    expect(await (await member.get(deals)).text()).not.toContain(more)
    await create()
    await create()
    const board = await (await member.get(deals)).text()
    expect(board.match(/class="board-card"/g)).toHaveLength(50)
    expect(board).toContain('<span class="meta">50+</span>')
    expect(board).toContain(more)
  })
})

test('messages list the oldest of 201 channels, the form of a workspace the oldest of 201 people, and the search the oldest member', async () => {
  const server = await createServer({ rateLimit: 'off' })
  onTestFinished(() => server.close())
  const { admin } = server
  const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
  const member = await signedInVisitor(server, { workspace, role: 'member', name: 'Ada' })
  await admin.users.update({ id: member.id }, { is_instance_admin: true })
  for (let count = 0; count < 201; count += 1) {
    await admin.channels.create({ workspace }, { name: `channel-${count}` })
    await admin.members.create({ workspace }, { name: `Person ${count}`, email: `person-${count}@people.example` })
  }
  expect(await (await member.get(`/dashboard/w/${workspace}/messages`)).text()).toContain('>channel-0<')
  expect(await (await member.get('/dashboard/workspaces/new')).text()).toContain('Person 0')
  const found = await member.get(`/dashboard/w/${workspace}/search?q=person-0`)
  expect(await found.text()).toContain('person-0@people.example')
  const html = await (await member.get(`/dashboard/w/${workspace}/search?q=person`)).text()
  const [, all = ''] = /href="([^"]*)"[^>]*>(?:(?!<\/a>).)*All members/s.exec(html) ?? []
  const first = await (await member.get(all)).text()
  const [, next = ''] = / href="([^"]*)" rel="next"/.exec(first) ?? []
  expect(next).toMatch(/search=person&amp;before=\d+$/)
  const second = await (await member.get(next.replaceAll('&amp;', '&'))).text()
  expect([first, second].map((page) => page.match(/id="member-\d+"/g)?.length)).toEqual([50, 50])
})

test('on PostgreSQL a page sends as many statements for many records as for one', async () => {
  const { server } = await startWithTables('postgres', { egressAllow: ['acme.example'], encryptionKey: 'k'.repeat(40) })
  const { admin } = server
  const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
  const at = { workspace }
  const visitor = await signedInVisitor(server, { workspace, role: 'owner' })
  const { id: channel_id } = await admin.channels.create(at, { name: 'ops' })
  const everyTicket = { trigger: 'ticket_created', actions: [{ type: 'set_category', category: 'x' }] } as const
  await admin.rules.create(at, { name: 'All', ...everyTicket, actions: [...everyTicket.actions] })
  const addRecords = async (n: number) => {
    const { id: user } = await admin.members.create(at, { name: `Person ${n}`, email: `p${n}@acme.example` })
    const { id: project_id } = await admin.projects.create(at, { name: `Project ${n}` })
    const { id: account_id } = await admin.accounts.create(at, { name: `Account ${n}` })
    const { id: ticket_id } = await admin.tickets.create(at, { title: `Ticket ${n}`, assigned_to: user, project_id })
    await admin.tasks.create(at, { title: `Task ${n}`, assigned_to: user, project_id, ticket_id })
    await admin.deals.create(at, { title: `Deal ${n}`, owner_id: user, account_id })
    await admin.leads.create(at, { name: `Lead ${n}`, email: `lead${n}@acme.example`, source: 'website' })
    await admin.employees.create(at, { user_id: user })
    await admin.messages.create(at, { channel_id, author_id: user, body: `Message ${n}` })
    await admin.webhooks.create(at, { url: `https://acme.example/${n}`, events: ['project.updated'] })
    await admin.tokens.create(at, { user_id: user, scopes: ['tickets:read'] })
  }
  const pages = [
    ...['overview', 'tickets', 'tasks', 'tasks?view=list', 'projects', 'deals', 'deals?view=list', 'accounts', 'leads'],
    ...['employees', 'attendance', 'messages', 'webhooks', 'tokens', 'settings/members', 'settings/audit'],
    ...['automation', 'automation/runs', 'search?q=1'],
  ]
  let statements = 0
  const { query } = pg.Client.prototype
  const counting = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function counted(
    this: pg.Client,
    ...given
  ) {
    if (isInRequest()) statements += 1
    return Reflect.apply(query, this, given)
  })
  onTestFinished(() => counting.mockRestore())
  const countStatements = async () => {
    const counts: [string, number][] = []
    for (const page of pages) {
      statements = 0
      expect((await visitor.get(`/dashboard/w/${workspace}/${page}`)).status, page).toBe(200)
      counts.push([page, statements])
    }
    return new Map(counts)
  }
  await addRecords(1)
  const forOne = await countStatements()
  for (let n = 2; n <= 14; n += 1) await addRecords(n)
  const forMany = await countStatements()
  expect(pages.filter((page) => (forMany.get(page) ?? 0) >= (forOne.get(page) ?? 0) + 10)).toEqual([])
})
