import { expect, test } from 'vitest'
import { microsPerHour, microsPerSecond } from '../src/core/clock.ts'
import { collectedLog } from './collected-log.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore, type Start } from './on-every-store.ts'
import { startWithTables } from './tables.ts'
import { call, seedWorkspace } from './workspace.ts'

const adminToken = 'service_admin_0123456789'

async function startWithTickets(start: Start) {
  const clock = manualClock()
  const server = await start({ adminToken, clock })
  const { workspace, member } = await seedWorkspace(server)
  const at = { workspace: workspace.id }
  const project = await server.admin.projects.create(at, { name: 'Shop' })
  const coupon = await server.admin.tickets.create(at, {
    title: 'Checkout fails with a coupon',
    description: 'The total is negative: Straße, café.',
    priority: 'high',
    assigned_to: member.id,
    project_id: project.id,
    tags: ['checkout', 'in review'],
  })
  const login = await server.admin.tickets.create(at, { title: 'Login of the CAFÉ fails', tags: ['checkout'] })
  const printer = await server.admin.tickets.create(at, { title: 'Printer', priority: 'high' })
  const ids = { coupon: coupon.id, login: login.id, printer: printer.id }
  const find = async (query: Parameters<typeof server.admin.tickets.list>[1]) =>
    (await server.admin.tickets.list(at, query)).data.map(({ id }) => id)
  return { server, clock, at, member, project, ids, find }
}

onEveryStore('a list of tickets', (start) => {
  test('in a hook includes uncommitted changes, which a rollback removes', async () => {
    const found: number[][] = []
    let refuses = true
    const server = await start({
      log: collectedLog(),
      hooks: {
        async ticketCreated({ id }, admin) {
          const at = { workspace: 1 }
          const search = async (query: Parameters<typeof admin.tickets.list>[1]) =>
            found.push((await admin.tickets.list(at, query)).data.map((ticket) => ticket.id))
          await search({ status: 'open', search: 'printer' })
          await admin.tickets.update({ ...at, id }, { status: 'in_progress' })
          await search({ status: 'in_progress' })
          await search({ status: 'open' })
          if (refuses) throw new Error('Not this one.')
        },
      },
    })
    const { workspace } = await seedWorkspace(server)
    const at = { workspace: workspace.id }
    expect((await server.admin.tickets.create(at, { title: 'Printer' }).safe()).ok).toBe(false)
    expect((await server.admin.tickets.list(at, { search: 'printer' })).data).toEqual([])
    refuses = false
    const [refused] = found[0] ?? []
    found.length = 0
    const { id } = await server.admin.tickets.create(at, { title: 'Printer' })
    expect(found).toEqual([[id], [id], []])
    expect(refused).toBeDefined()
    expect((await server.admin.tickets.list(at, { status: 'in_progress' })).data).toMatchObject([{ id }])
  })

  test('matches all filters, newest first', async () => {
    const { server, at, member, project, ids, find } = await startWithTickets(start)
    await server.admin.tickets.update({ ...at, id: ids.printer }, { status: 'in_progress' })
    expect(await find({ status: 'open' })).toEqual([ids.login, ids.coupon])
    expect(await find({ status: 'in_progress' })).toEqual([ids.printer])
    expect(await find({ priority: 'high' })).toEqual([ids.printer, ids.coupon])
    expect(await find({ priority: 'high', status: 'open' })).toEqual([ids.coupon])
    expect(await find({ assigned_to: member.id })).toEqual([ids.coupon])
    expect(await find({ project_id: project.id })).toEqual([ids.coupon])
    expect(await find({ tag: 'checkout' })).toEqual([ids.login, ids.coupon])
    expect(await find({ tag: 'in review', search: 'coupon', priority: 'high' })).toEqual([ids.coupon])
    for (const none of [{ tag: 'review' }, { status: 'OPEN' }, { status: 'closed' }, { project_id: 99 }])
      expect(await find(none)).toEqual([])
  })

  test('matches the beginnings of words in number, title, and description, ignoring case and accents', async () => {
    const { ids, find } = await startWithTickets(start)
    expect(await find({ search: 'cafe' })).toEqual([ids.login, ids.coupon])
    expect(await find({ search: 'FAILS, coupon!' })).toEqual([ids.coupon])
    expect(await find({ search: 'straße' })).toEqual([ids.coupon])
    expect(await find({ search: 'TKT-00003' })).toEqual([ids.printer])
    expect(await find({ search: 'tkt' })).toEqual([ids.printer, ids.login, ids.coupon])
    expect(await find({ search: 'fails printer' })).toEqual([])
    expect(await find({ search: 'coup check' })).toEqual([ids.coupon])
    expect(await find({ search: 'oupon' })).toEqual([])
    expect(await find({ search: 's' })).toEqual([])
    // Operators of the databases' query languages are plain text.
    for (const text of ['coupon OR printer', 'NOT coupon x', '"coupon" & !printer', 'z:* | coupon', "w:1 ' coupon"])
      expect(await find({ search: text })).toEqual([])
  })

  test('filters unresolved, unassigned, due, and late tickets, and counts them', async () => {
    const { server, clock, at, member, ids, find } = await startWithTickets(start)
    await server.admin.slaPolicies.update({ ...at, priority: 'urgent' }, { first_response_minutes: 60 })
    const create = async (due_at: string | null, priority: string) =>
      (await server.admin.tickets.create(at, { title: 'T', due_at, priority })).id
    const [late, today, later] = [
      await create('2026-11-19', 'urgent'),
      await create('2026-11-20', 'low'),
      await create('2026-11-26', 'low'),
    ]
    const soon = await create('2026-11-27', 'urgent')
    await server.admin.tickets.update({ ...at, id: ids.login }, { status: 'resolved', due_at: '2026-11-19' })
    await server.admin.tickets.update({ ...at, id: soon }, { assigned_to: member.id })
    expect(await find({ due: 'overdue' })).toEqual([late])
    expect(await find({ due: 'today' })).toEqual([today])
    expect(await find({ due: 'week', sort: 'due' })).toEqual([today, later])
    expect(await find({ sla: 'at_risk' })).toEqual([late])
    expect(await find({ sla: 'over' })).toEqual([])
    clock.advance(2 * microsPerHour)
    expect(await find({ sla: 'over', priority: 'urgent' })).toEqual([late])
    expect(await find({ status: 'active', assigned_to: 'none', search: 't' })).toEqual([later, today, late])
    expect(await find({ status: 'active', sort: 'priority' })).toEqual([
      late,
      soon,
      ids.coupon,
      ids.printer,
      today,
      later,
    ])
    expect(await find({ sort: 'updated' })).toEqual([soon, ids.login, later, today, late, ids.printer, ids.coupon])
    const count = async (query: Parameters<typeof server.admin.tickets.count>[1]) =>
      (await server.admin.tickets.count(at, query)).count
    expect([await count({}), await count({ due: 'week' }), await count({ status: 'active', search: 'fails' })]).toEqual(
      [7, 2, 1],
    )
    const upTo = (up_to: number) => server.admin.tickets.count(at, { status: 'active', assigned_to: 'none', up_to })
    expect([await upTo(3), await upTo(4)]).toEqual([
      { count: 3, is_exact: false },
      { count: 4, is_exact: true },
    ])
    const [listed] = (await server.admin.tickets.list(at, { sort: 'sla', limit: 1 })).data
    expect(listed).toMatchObject({ id: late, sla_due_at: expect.stringMatching(/^2026-11-20T19:51:53/) })
  })

  test('pages through a sorted list by the key and id of the last row', async () => {
    const { server, at, ids } = await startWithTickets(start)
    const read = (cursor?: string) => server.admin.tickets.list(at, { sort: 'priority', limit: 2, cursor })
    const first = await read()
    expect([first.data.map(({ id }) => id), first.next_before]).toEqual([[ids.coupon, ids.printer], null])
    // A row that changes its place does not shift the next page.
    await server.admin.tickets.update({ ...at, id: ids.printer }, { priority: 'low' })
    const second = await read(first.next_cursor ?? '')
    expect(second.data.map(({ id }) => id)).toEqual([ids.login, ids.printer])
    expect(await read(second.next_cursor ?? '')).toEqual({ data: [], next_before: null, next_cursor: null })
    for (const cursor of ['x,1', '9999999999,1'])
      await expect(read(cursor)).rejects.toMatchObject({ errors: { cursor: ['The cursor field is invalid.'] } })
    const unsorted = { sort: 'due', status: 'resolved', cursor: '9,x' } as const
    await expect(server.admin.tickets.list(at, unsorted)).rejects.toMatchObject({ status: 422 })
  })

  test('pages through search results', async () => {
    const { server, at, ids } = await startWithTickets(start)
    const first = await server.admin.tickets.list(at, { search: 'fails', limit: 1 })
    expect([first.data.map(({ id }) => id), first.next_before]).toEqual([[ids.login], ids.login])
    const second = await server.admin.tickets.list(at, { search: 'fails', limit: 1, before: ids.login })
    expect(second.data).toMatchObject([{ id: ids.coupon, assignee: { name: 'Ada Obi' } }])
    const last = await server.admin.tickets.list(at, { search: 'fails', limit: 1, before: ids.coupon })
    expect(last).toEqual({ data: [], next_before: null, next_cursor: null })
  })

  test('follows changes by people and rules', async () => {
    const { server, at, member, ids, find } = await startWithTickets(start)
    await server.admin.rules.create(at, {
      name: 'Outages',
      trigger: 'ticket_created',
      conditions: [{ field: 'title', operator: 'contains', value: 'outage' }],
      actions: [
        { type: 'assign', user_id: member.id },
        { type: 'add_tag', tag: 'outage' },
        { type: 'set_status', status: 'pending' },
      ],
    })
    const outage = await server.admin.tickets.create(at, { title: 'Outage' })
    expect(await find({ status: 'pending', assigned_to: member.id, tag: 'outage', search: 'outage' })).toEqual([
      outage.id,
    ])
    expect(await find({ status: 'open', search: 'outage' })).toEqual([])
    await server.admin.tickets.update(
      { ...at, id: ids.coupon },
      { title: 'Voucher', description: null, tags: ['billing'], assigned_to: null, project_id: null, priority: 'low' },
    )
    expect(await find({ search: 'coupon' })).toEqual([])
    expect(await find({ search: 'negative' })).toEqual([])
    expect(await find({ tag: 'checkout' })).toEqual([ids.login])
    expect(await find({ assigned_to: member.id })).toEqual([outage.id])
    expect(await find({ tag: 'billing', search: 'voucher', priority: 'low' })).toEqual([ids.coupon])
  })

  test('excludes other workspaces', async () => {
    const { server } = await startWithTickets(start)
    const { workspace } = await seedWorkspace(server, { name: 'Other' })
    const at = { workspace: workspace.id }
    const own = await server.admin.tickets.create(at, { title: 'Coupon', tags: ['checkout'] })
    for (const query of [{ search: 'coupon' }, { tag: 'checkout' }, { status: 'open' }])
      expect((await server.admin.tickets.list(at, query)).data.map(({ id }) => id)).toEqual([own.id])
  })

  test('indexes the start of long descriptions and words of any length', async () => {
    const { server, at, find } = await startWithTickets(start)
    const long = `${'x'.repeat(3000)} ${'\ufdfa '.repeat(30_000)} end`
    const { id } = await server.admin.tickets.create(at, { title: 'Long', description: long })
    expect(await find({ search: 'x'.repeat(100) })).toEqual([id])
    expect(await find({ search: 'long \ufdfa' })).toEqual([id])
  })

  test('rejects each invalid filter with a message', async () => {
    const { server, at } = await startWithTickets(start)
    const read = (query: string) =>
      call(server, { path: `/admin/v1/workspaces/${at.workspace}/tickets?${query}`, token: adminToken })
    const refused = async (query: string) => (await read(query)).body.errors
    expect(await refused('search=%20-%20')).toEqual({ search: ['The search field must have a letter or a digit.'] })
    expect(await refused('search=')).toEqual({ search: ['The search field is required.'] })
    expect(await refused('assigned_to=ada')).toEqual({ assigned_to: [expect.stringContaining('assigned_to')] })
    expect(await refused('project_id=0&tag=')).toEqual({
      project_id: [expect.stringContaining('project_id')],
      tag: ['The tag field is required.'],
    })
    expect(await refused(`status=${'x'.repeat(65)}`)).toEqual({
      status: ['The status field must not be greater than 64 characters.'],
    })
    expect((await read('status=open&search=coupon&limit=1')).body.data).toHaveLength(1)
  })
})

async function startOnSqlite() {
  const clock = manualClock()
  const { server, tables } = await startWithTables('sqlite', { clock, rateLimit: 'off' })
  const { workspace } = await seedWorkspace(server)
  const at = { workspace: workspace.id }
  const indexed = async () =>
    (await tables.rows('select rowid as id from ticket_search order by 1')).map(({ id }) => id)
  return { server, tables, clock, at, indexed }
}

test('on SQLite, new tickets are indexed together, one second after the first was created', async () => {
  const { server, clock, at, indexed } = await startOnSqlite()
  await server.admin.tickets.create(at, { title: 'Printer' })
  clock.advance(microsPerSecond / 2)
  await server.admin.tickets.create(at, { title: 'Printer, again' })
  await server.deliveries.runDue()
  expect(await indexed()).toEqual([])
  // A change to a pending ticket must not index it before the others.
  await server.admin.tickets.update({ ...at, id: 2 }, { title: 'Scanner' })
  expect(await indexed()).toEqual([])
  clock.advance(microsPerSecond / 2)
  await server.deliveries.runDue()
  expect(await indexed()).toEqual([1, 2])
  expect((await server.admin.tickets.list(at, { search: 'scanner' })).data).toMatchObject([{ id: 2 }])
  expect((await server.admin.tickets.list(at, { search: 'printer' })).data).toMatchObject([{ id: 1 }])
})

test('on SQLite, a search first indexes all pending tickets, and concurrent searches index each once', async () => {
  const { server, tables, at, indexed } = await startOnSqlite()
  await server.admin.tickets.create(at, { title: 'Printer' })
  await tables.rows(`insert into tickets (workspace_id, number, title, status, priority, created_at, updated_at)
    select ${at.workspace}, 1 + value, 'Printer', 'open', 'low', 0, 0 from json_each('[${Array.from({ length: 450 }, (_, index) => index + 1)}]')`)
  const searches = await Promise.all(
    Array.from({ length: 4 }, () => server.admin.tickets.list(at, { search: 'printer', limit: 100 })),
  )
  for (const { data } of searches) expect(data[0]?.id).toBe(451)
  expect(await indexed()).toHaveLength(451)
  expect((await server.admin.tickets.list(at, { search: 'printer', before: 2 })).data).toMatchObject([{ id: 1 }])
})
