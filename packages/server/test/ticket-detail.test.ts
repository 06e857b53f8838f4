import { expect, test } from 'vitest'
import { microsPerDay, microsPerMinute } from '../src/core/clock.ts'
import { startOpenSite } from './inbound/inbound-site.ts'
import { onEveryStore } from './on-every-store.ts'
import { askAdmin, signedIn } from './people.ts'
import { seedWorkspace } from './workspace.ts'

onEveryStore('a ticket', (start) => {
  test('has all its fields and SLA targets', async () => {
    const { server, clock, workspaceId: workspace } = await startOpenSite(start)
    const at = { workspace }
    const [member] = (await server.admin.members.list(at)).data
    const project = await server.admin.projects.create(at, { name: 'Shop' })
    await server.admin.slaPolicies.update({ ...at, priority: 'high' }, { first_response_minutes: 30 })
    const created = await server.admin.tickets.create(at, {
      title: 'Checkout fails',
      description: 'With a coupon.',
      priority: 'high',
      project_id: project.id,
      due_at: '2026-12-01',
      tags: ['b', 'a'],
      created_by: member?.id ?? 0,
    })
    const ticket = await server.admin.tickets.get({ ...at, id: created.id })
    expect(ticket).toMatchObject({
      id: created.id,
      description: 'With a coupon.',
      tags: ['b', 'a'],
      due_at: '2026-12-01',
      project_id: project.id,
      project: { id: project.id, name: 'Shop' },
      resolved_at: null,
      sla: { first_response: { met_at: null, breached_at: null }, resolution: null },
      error_report: null,
      git_issue: null,
    })
    expect(Date.parse(ticket.sla.first_response?.due_at ?? '') - Date.parse(ticket.created_at)).toBe(30 * 60_000)
    expect(ticket.timeline).toEqual([
      { at: ticket.created_at, kind: 'created', by: { kind: 'user', ...ticket.creator }, changes: null, detail: null },
    ])
    clock.advance(31 * microsPerMinute)
    await server.deliveries.runDue()
    const breached = await server.admin.tickets.get({ ...at, id: created.id })
    expect(breached.sla.first_response?.breached_at).toEqual(expect.any(String))
    expect(breached.timeline.at(-1)).toMatchObject({ kind: 'sla_breached', detail: 'first_response', by: null })
    await server.admin.tickets.update({ ...at, id: created.id }, { status: 'in_progress' })
    expect((await server.admin.tickets.get({ ...at, id: created.id })).sla.first_response?.met_at).not.toBeNull()
  })

  test('has a timeline with actors, which outlives the deliveries', async () => {
    const { server, clock, workspaceId: workspace } = await startOpenSite(start, { deliveryRetentionDays: 1 })
    const at = { workspace }
    const formerMember = await server.admin.members.create(at, { name: 'Grace', email: 'grace@example.com' })
    const rule = await server.admin.rules.create(at, {
      name: 'Escalate',
      trigger: 'ticket_created',
      conditions: [{ field: 'title', operator: 'contains', value: 'outage' }],
      actions: [
        { type: 'set_priority', priority: 'urgent' },
        { type: 'add_tag', tag: 'outage' },
        { type: 'assign', user_id: formerMember.id },
      ],
    })
    await server.admin.members.delete({ ...at, id: formerMember.id })
    const { id } = await server.admin.tickets.create(at, { title: 'Outage' })
    const quiet = await server.admin.tickets.create(at, { title: 'Quiet' })
    await server.admin.tickets.update({ ...at, id }, { title: 'Outage in Bonn', due_at: '2026-12-01' })
    await server.admin.tickets.update({ ...at, id }, { status: 'resolved' })
    await server.admin.tickets.update({ ...at, id }, { status: 'closed' })
    await server.admin.tickets.update({ ...at, id }, { status: 'open' })
    clock.advance(2 * microsPerDay)
    await server.deliveries.runDue()
    expect((await server.admin.events.list(at)).data).toEqual([])
    const { timeline } = await server.admin.tickets.get({ ...at, id })
    const by = { kind: 'rule', id: rule.id, name: 'Escalate' }
    const program = { kind: 'in_process', id: null, name: 'Server program' }
    expect(timeline.map(({ at: _, ...entry }) => entry)).toEqual([
      { kind: 'created', by: program, changes: null, detail: null },
      { kind: 'changed', by, changes: { priority: { from: 'medium', to: 'urgent' } }, detail: null },
      { kind: 'changed', by, changes: { tags: { from: [], to: ['outage'] } }, detail: null },
      { kind: 'rule_refused', by, changes: null, detail: expect.stringContaining('Refused') },
      {
        kind: 'changed',
        by: program,
        changes: { title: { from: 'Outage', to: 'Outage in Bonn' }, due_at: { from: null, to: '2026-12-01' } },
        detail: null,
      },
      { kind: 'resolved', by: program, changes: { status: { from: 'open', to: 'resolved' } }, detail: null },
      { kind: 'changed', by: program, changes: { status: { from: 'resolved', to: 'closed' } }, detail: null },
      { kind: 'reopened', by: program, changes: { status: { from: 'closed', to: 'open' } }, detail: null },
    ])
    expect((await server.admin.tickets.get({ ...at, id: quiet.id })).timeline).toHaveLength(1)
  })

  test('of an error counts reports per day and shows that it was reopened', async () => {
    const { server, clock, workspaceId: workspace, inbound } = await startOpenSite(start)
    const at = { workspace }
    const report = { message: 'boom', exception: 'E', file: 'a.ts', severity: 'error' } as const
    const { ticket_id: id } = await inbound.errors.report(report)
    await inbound.errors.report(report)
    const ref = { ...at, id: id ?? 0 }
    await server.admin.tickets.update(ref, { status: 'resolved' })
    clock.advance(microsPerDay)
    await inbound.errors.report(report)
    const ticket = await server.admin.tickets.get(ref)
    expect(ticket.error_report).toMatchObject({ count: 3 })
    expect(ticket.timeline.map(({ kind, detail, by }) => [kind, detail, by?.kind])).toEqual([
      ['created', null, 'error_report'],
      ['error_reported', '2 reports on this day.', 'error_report'],
      ['resolved', null, 'in_process'],
      ['error_reported', '1 report on this day.', 'error_report'],
      ['reopened', null, 'error_report'],
    ])
  })

  test('names the user who changed it', async () => {
    const { server, workspaceId: workspace } = await startOpenSite(start)
    const eve = await signedIn(server, 'Eve')
    await server.admin.members.create({ workspace }, { name: eve.name, email: eve.email })
    const { id } = await server.admin.tickets.create({ workspace }, { title: 'T' })
    const path = `/workspaces/${workspace}/tickets/${id}`
    expect((await askAdmin(server, eve.token, ['PATCH', path, { priority: 'low' }])).status).toBe(200)
    const { timeline } = await server.admin.tickets.get({ workspace, id })
    expect(timeline.at(-1)).toMatchObject({ kind: 'changed', by: { kind: 'user', id: eve.id, name: eve.name } })
  })

  test('of a Git issue links to it', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    await inbound.git.send('github', 'issues', {
      action: 'opened',
      issue: { number: 12, id: 12, title: 'Broken', html_url: 'https://github.com/acme/shop/issues/12' },
      repository: { id: 1, full_name: 'acme/shop' },
    })
    const [listed] = (await server.admin.tickets.list({ workspace })).data
    const ticket = await server.admin.tickets.get({ workspace, id: listed?.id ?? 0 })
    expect(ticket.timeline).toMatchObject([{ kind: 'created', by: { kind: 'git_issue', id: null, name: null } }])
    expect(ticket.git_issue).toEqual({
      provider: 'github',
      repository: 'acme/shop',
      issue: 12,
      url: 'https://github.com/acme/shop/issues/12',
    })
  })
})

onEveryStore('a reported error', (start) => {
  test('has its ten newest reports, its counts per day, and its ticket', async () => {
    const { server, clock, workspaceId: workspace, inbound } = await startOpenSite(start)
    const report = (line: number) =>
      inbound.errors.report({ message: 'boom', exception: 'E', file: 'a.ts', line, severity: 'error' })
    const { ticket_id } = await report(0)
    for (let line = 1; line <= 6; line += 1) await report(line)
    clock.advance(microsPerDay)
    for (let line = 7; line <= 11; line += 1) await report(line)
    const [group] = (await server.admin.errorReports.list({ workspace })).data
    const error = await server.admin.errorReports.get({ workspace, id: group?.id ?? 0 })
    expect(error).toMatchObject({ ...group, ticket: { id: ticket_id } })
    expect(error.samples.map(({ report }) => report['line'])).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
    expect(error.days.map(({ count }) => count)).toEqual([7, 5])
    clock.advance(29 * microsPerDay)
    const later = await server.admin.errorReports.get({ workspace, id: error.id })
    expect(later.days.map(({ count }) => count)).toEqual([5])
  })

  test('is not found from another workspace, and neither is its ticket', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const { ticket_id } = await inbound.errors.report({ message: 'boom', severity: 'error' })
    const other = await seedWorkspace(server, { name: 'Other' })
    const [group] = (await server.admin.errorReports.list({ workspace })).data
    const elsewhere = { workspace: other.workspace.id, id: group?.id ?? 0 }
    await expect(server.admin.errorReports.get(elsewhere)).rejects.toMatchObject({ name: 'NotFoundError' })
    const ticket = { workspace: other.workspace.id, id: ticket_id ?? 0 }
    await expect(server.admin.tickets.get(ticket)).rejects.toMatchObject({ name: 'NotFoundError' })
  })

  test('drops reports after the configured retention', async () => {
    const {
      server,
      clock,
      workspaceId: workspace,
      inbound,
    } = await startOpenSite(start, {
      errorSampleRetentionDays: 5,
    })
    await inbound.errors.report({ message: 'boom', severity: 'error' })
    clock.advance(4 * microsPerDay)
    await inbound.errors.report({ message: 'boom', severity: 'error' })
    const [group] = (await server.admin.errorReports.list({ workspace })).data
    const samples = async () => (await server.admin.errorReports.get({ workspace, id: group?.id ?? 0 })).samples.length
    expect(await samples()).toBe(2)
    clock.advance(2 * microsPerDay)
    await server.deliveries.runDue()
    expect(await samples()).toBe(1)
  })
})
