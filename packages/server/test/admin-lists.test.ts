import { ConflictError, NotFoundError, ValidationError } from '@service/client'
import { expect, test } from 'vitest'
import { punch, seedSite } from './attendance-site.ts'
import { startOpenSite } from './inbound/inbound-site.ts'
import { onEveryStore, type Start } from './on-every-store.ts'
import { call, seedWorkspace } from './workspace.ts'

async function startWithWorkspace(start: Start) {
  const server = await start()
  const { workspace, member } = await seedWorkspace(server)
  const other = await seedWorkspace(server, { name: 'Other' })
  return { admin: server.admin, member, at: { workspace: workspace.id }, elsewhere: { workspace: other.workspace.id } }
}

const idsOf = ({ data }: { data: readonly { id: number }[] }) => data.map(({ id }) => id)

onEveryStore('tasks and projects', (start) => {
  test('are returned with all fields, filtered, and counted', async () => {
    const { admin, at, member, elsewhere } = await startWithWorkspace(start)
    const project = await admin.projects.create(at, { name: 'Shop' })
    const ticket = await admin.tickets.create(at, { title: 'T', project_id: project.id })
    const closed = await admin.tickets.create(at, { title: 'C', project_id: project.id })
    await admin.tickets.update({ ...at, id: closed.id }, { status: 'closed' })
    const parent = await admin.tasks.create(at, {
      title: 'Parent',
      description: 'All of it.',
      tags: ['b', 'a'],
      project_id: project.id,
      assigned_to: member.id,
    })
    const child = await admin.tasks.create(at, { title: 'Child', parent_id: parent.id, ticket_id: ticket.id })
    const done = await admin.tasks.create(at, { title: 'Done', status: 'done', project_id: project.id })
    expect(await admin.tasks.get({ ...at, id: parent.id })).toMatchObject({
      description: 'All of it.',
      tags: ['b', 'a'],
      parent_id: null,
      subtask_ids: [child.id],
    })
    expect(await admin.tasks.get({ ...at, id: child.id })).toMatchObject({ parent_id: parent.id, subtask_ids: [] })
    expect(idsOf(await admin.tasks.list(at, { status: 'todo' }))).toEqual([child.id, parent.id])
    expect(idsOf(await admin.tasks.list(at, { project_id: project.id }))).toEqual([done.id, parent.id])
    expect(idsOf(await admin.tasks.list(at, { ticket_id: ticket.id }))).toEqual([child.id])
    expect(idsOf(await admin.tasks.list(at, { assigned_to: member.id, status: 'todo' }))).toEqual([parent.id])
    expect(await admin.projects.get({ ...at, id: project.id })).toMatchObject({ open_tickets: 1, open_tasks: 1 })
    await expect(admin.tasks.delete({ ...elsewhere, id: child.id })).rejects.toThrow(NotFoundError)
    await expect(admin.tasks.delete({ ...at, id: parent.id })).rejects.toThrow('The task has subtasks.')
    expect((await admin.tasks.get({ ...at, id: parent.id })).tags).toEqual(['b', 'a'])
    expect(await admin.tasks.delete({ ...at, id: child.id })).toEqual({ id: child.id })
    await admin.tasks.delete({ ...at, id: parent.id })
    expect(idsOf(await admin.tasks.list(at))).toEqual([done.id])
  })
})

onEveryStore('tickets and tasks by their due dates', (start) => {
  test('end with those that are done or have no date, the oldest first', async () => {
    const { admin, at } = await startWithWorkspace(start)
    for (const [title, due_at, isDone] of [
      ['later', '2026-12-09', false],
      ['done', '2026-12-01', true],
      ['none', null, false],
      ['done, none', null, true],
      ['sooner', '2026-12-02', false],
    ] as const) {
      const ticket = await admin.tickets.create(at, { title, due_at })
      if (isDone) await admin.tickets.update({ ...at, id: ticket.id }, { status: 'closed' })
      await admin.tasks.create(at, { title, due_at, status: isDone ? 'done' : 'todo' })
    }
    for (const list of [admin.tickets.list(at, { sort: 'due' }), admin.tasks.list(at, { sort: 'due' })])
      expect((await list).data.map(({ title }) => title)).toEqual(['sooner', 'later', 'done', 'none', 'done, none'])
  })
})

onEveryStore('channels', (start) => {
  test('can be renamed, and deleted if they have no messages', async () => {
    const { admin, at, elsewhere } = await startWithWorkspace(start)
    const [support, sales] = [
      await admin.channels.create(at, { name: 'support' }),
      await admin.channels.create(at, { name: 'sales' }),
    ]
    const place = { ...at, id: support.id }
    expect(await admin.channels.update(place, { name: 'help' })).toEqual({ id: support.id, name: 'help' })
    expect(await admin.channels.update(place, {})).toEqual(await admin.channels.get(place))
    await expect(admin.channels.update(place, { name: 'sales' })).rejects.toThrow(ConflictError)
    await expect(admin.channels.get({ ...elsewhere, id: support.id })).rejects.toThrow(NotFoundError)
    await admin.messages.create(at, { channel_id: support.id, body: 'Hello' })
    await expect(admin.channels.delete(place)).rejects.toThrow('The channel has messages.')
    await expect(admin.channels.delete({ ...elsewhere, id: sales.id })).rejects.toThrow(NotFoundError)
    await admin.channels.delete({ ...at, id: sales.id })
    expect(idsOf(await admin.channels.list(at))).toEqual([support.id])
  })
})

onEveryStore('accounts, deals and leads', (start) => {
  test('accounts can be renamed, and deleted if they have no deals', async () => {
    const { admin, at, elsewhere } = await startWithWorkspace(start)
    const account = await admin.accounts.create(at, { name: 'Fabrikam' })
    const place = { ...at, id: account.id }
    expect(await admin.accounts.update(place, { name: 'Contoso' })).toEqual({ id: account.id, name: 'Contoso' })
    await expect(admin.accounts.get({ ...elsewhere, id: account.id })).rejects.toThrow(NotFoundError)
    const won = await admin.deals.create(at, { title: 'A', account_id: account.id, stage: 'won' })
    const open = await admin.deals.create(at, { title: 'B' })
    expect(idsOf(await admin.deals.list(at, { stage: 'won' }))).toEqual([won.id])
    await expect(admin.accounts.delete(place)).rejects.toThrow('The account has deals.')
    await expect(admin.deals.delete({ ...elsewhere, id: won.id })).rejects.toThrow(NotFoundError)
    await admin.deals.delete({ ...at, id: won.id })
    expect(await admin.accounts.delete(place)).toEqual({ id: account.id })
    expect(idsOf(await admin.deals.list(at))).toEqual([open.id])
  })

  test('a lead includes every enquiry, and its fields can be corrected', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const { lead_id } = await inbound.leads.capture('website', { name: 'Grace', email: 'g@example.org', message: 'Hi' })
    await inbound.leads.capture('facebook', { name: 'Grace K', email: 'G@example.org', message: 'Again' })
    const second = await inbound.leads.capture('facebook', { name: 'Bo', email: 'bo@example.org' })
    const at = { workspace, id: lead_id ?? 0 }
    const lead = await server.admin.leads.get(at)
    expect(lead.enquiries).toMatchObject([
      { source: 'facebook', notes: 'Again', name: 'Grace K' },
      { source: 'website', notes: 'Hi' },
    ])
    expect(lead).toMatchObject({ name: 'Grace', notes: 'Hi', status: 'new' })
    await server.admin.leads.update(at, {
      status: 'contacted',
      company: 'Fabrikam',
      notes: null,
      email: 'k@example.org',
      estimated_value: 1250.5,
    })
    expect(await server.admin.leads.get(at)).toMatchObject({
      status: 'contacted',
      company: 'Fabrikam',
      notes: null,
      email: 'k@example.org',
      name: 'Grace',
      estimated_value: '1250.50',
    })
    await server.admin.leads.update(at, { estimated_value: null })
    expect(await server.admin.leads.get(at)).toMatchObject({ company: 'Fabrikam', estimated_value: null })
    await expect(server.admin.leads.update(at, { email: 'BO@example.org' })).rejects.toThrow(ConflictError)
    const found = (query: { status?: string; source?: string }) => server.admin.leads.list({ workspace }, query)
    expect(idsOf(await found({ status: 'contacted' }))).toEqual([at.id])
    expect(idsOf(await found({ source: 'facebook', status: 'new' }))).toEqual([second.lead_id])
    const again = await inbound.leads.capture('website', { name: 'Grace', email: 'k@example.org' })
    expect(again).toMatchObject({ duplicate: true, lead_id: at.id })
  })
})

onEveryStore('employees, devices and what came in', (start) => {
  test('can be filtered, and deleted if no punch refers to them', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const { admin } = server
    const at = { workspace }
    const bo = await admin.employees.create(at, { name: 'Bo_Lee', email: 'bo@example.org', employee_code: 'E-1' })
    const cy = await admin.employees.create(at, { name: 'Cy Fox', email: 'cy@example.org', employee_code: 'E-2' })
    const device = await admin.devices.create(at, { source_type: 'zk', device_name: 'D', external_device_id: 'D-1' })
    const spare = await admin.devices.create(at, { source_type: 'zk', device_name: 'S', external_device_id: 'D-2' })
    expect(idsOf(await admin.employees.list(at, { search: 'lee BO' }))).toEqual([bo.id])
    expect(idsOf(await admin.employees.list(at, { search: 'cy@' }))).toEqual([cy.id])
    expect(idsOf(await admin.employees.list(at, { search: 'e-' }))).toEqual([cy.id, bo.id])
    expect(idsOf(await admin.employees.list(at, { search: '%' }))).toEqual([])
    await inbound.attendance.punch({
      employee_code: 'E-1',
      external_device_id: 'D-1',
      timestamp: '2026-11-20T09:00:00Z',
      direction: 'in',
    })
    await expect(admin.employees.delete({ ...at, id: bo.id })).rejects.toThrow('The employee has punches.')
    await expect(admin.devices.delete({ ...at, id: device.id })).rejects.toThrow('The device has punches.')
    await admin.employees.delete({ ...at, id: cy.id })
    await admin.devices.delete({ ...at, id: spare.id })
    await expect(admin.devices.delete({ ...at, id: spare.id })).rejects.toThrow(NotFoundError)
    expect([idsOf(await admin.employees.list(at)), idsOf(await admin.devices.list(at))]).toEqual([[bo.id], [device.id]])
  })

  test('errors are filtered by application and state, activities by source', async () => {
    const adminToken = 'service_admin_0123456789'
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start, { adminToken })
    const at = { workspace }
    const { ticket_id } = await inbound.errors.report({ message: 'a', app_name: 'shop', severity: 'error' })
    await inbound.errors.report({ message: 'b', app_name: 'desk', severity: 'error' })
    await server.admin.tickets.update({ ...at, id: ticket_id ?? 0 }, { status: 'resolved' })
    const apps = async (query: { app?: string; status?: 'open' | 'resolved' }) =>
      (await server.admin.errorReports.list(at, query)).data.map(({ app }) => app)
    expect(await apps({})).toEqual(['desk', 'shop'])
    expect(await apps({ app: 'shop' })).toEqual(['shop'])
    expect([await apps({ status: 'open' }), await apps({ status: 'resolved' })]).toEqual([['desk'], ['shop']])
    expect(await apps({ status: 'open', app: 'shop' })).toEqual([])
    for (const name of ['acme/shop', 'acme/desk'])
      await inbound.git.send('github', 'push', { ref: 'refs/heads/main', repository: { full_name: name } })
    const from = async (query: { provider?: 'github' | 'gitlab'; repository?: string }) =>
      (await server.admin.activities.list(at, query)).data.map(({ repository }) => repository)
    expect(await from({ repository: 'acme/shop' })).toEqual(['acme/shop'])
    expect([(await from({ provider: 'github' })).length, await from({ provider: 'gitlab' })]).toEqual([2, []])
    const path = `/admin/v1/workspaces/${workspace}`
    for (const [list, field] of [
      ['activities?provider=svn', 'provider'],
      ['error-reports?status=closed', 'status'],
      ['tasks?ticket_id=x', 'ticket_id'],
      ['leads?status=', 'status'],
      ['deals?stage=', 'stage'],
      ['employees?search=', 'search'],
    ] as const) {
      const refused = await call(server, { path: `${path}/${list}`, token: adminToken })
      expect([list, refused.status, refused.body.errors]).toEqual([
        list,
        422,
        { [field]: [expect.stringContaining(`The ${field} field`)] },
      ])
    }
    await expect(server.admin.errorReports.list(at, { app: '' })).rejects.toThrow(ValidationError)
  })
})

onEveryStore('deals', (start) => {
  test('are filtered by account', async () => {
    const { admin, at } = await startWithWorkspace(start)
    const [north, south] = [
      await admin.accounts.create(at, { name: 'North' }),
      await admin.accounts.create(at, { name: 'South' }),
    ]
    const deal = await admin.deals.create(at, { title: 'Vans', account_id: north.id })
    await admin.deals.create(at, { title: 'Bikes', account_id: south.id })
    const won = await admin.deals.create(at, { title: 'Carts', account_id: north.id, stage: 'won' })
    expect(idsOf(await admin.deals.list(at, { account_id: north.id }))).toEqual([won.id, deal.id])
    expect(idsOf(await admin.deals.list(at, { account_id: north.id, stage: 'won' }))).toEqual([won.id])
    await expect(admin.deals.list(at, { account_id: 0 })).rejects.toThrow(ValidationError)
  })
})

onEveryStore('attendance sessions', (start) => {
  test('are filtered by employee and by the local day of their start', async () => {
    const server = await start()
    // In this time zone, a local day starts on the previous UTC day.
    const site = await seedSite(server, { timeZone: 'Pacific/Auckland' })
    const at = { workspace: site.workspace.id }
    const other = await server.admin.employees.create(at, {
      name: 'Bo',
      email: 'bo@people.example',
      employee_code: 'E-2',
    })
    const days = ['2026-11-17T20:00:00Z', '2026-11-18T20:00:00Z', '2026-11-19T20:00:00Z']
    for (const timestamp of days) await punch(server, site, { direction: 'in', timestamp })
    await punch(server, site, { employee_code: 'E-2', direction: 'in', timestamp: days[1] })
    const sessions = async (query: object) =>
      (await server.admin.attendance.sessions(at, query)).data.map(({ employee_id, day }) => [employee_id, day])
    expect(await sessions({ day: '2026-11-19' })).toEqual([
      [other.id, '2026-11-19'],
      [site.employee.id, '2026-11-19'],
    ])
    expect(await sessions({ day: '2026-11-19', employee_id: other.id })).toEqual([[other.id, '2026-11-19']])
    expect(await sessions({ employee_id: other.id })).toEqual([[other.id, '2026-11-19']])
    expect(await sessions({ day: '2026-11-21' })).toEqual([])
    await expect(sessions({ day: '2026-02-30' })).rejects.toThrow(ValidationError)
  })
})
