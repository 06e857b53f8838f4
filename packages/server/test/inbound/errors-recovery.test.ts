import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { queued } from '../workspace.ts'
import { postReport, startOpenSite } from './inbound-site.ts'

const alert = (status: string, host: string) => ({
  status,
  labels: { alertname: 'DiskFull', severity: 'critical', instance: host },
  annotations: { summary: `The disk of ${host} is full` },
  startsAt: '2026-11-20T10:00:00Z',
  fingerprint: `f-${host}`,
})
const body = (...alerts: readonly object[]) => ({ version: '4', receiver: 'tickets', status: 'firing', alerts })

const eventsOf = (events: readonly unknown[]) => events.map((event) => Object(event).event)

onEveryStore('a recovery notice', (start) => {
  test('is counted on its ticket, opens none, and changes nothing else', async () => {
    const site = await startOpenSite(start)
    const { server, workspace, workspaceId } = site
    const opened = await postReport(site, body(alert('firing', 'a')))
    expect(opened).toMatchObject({ ticket_created: true, ticket_number: 'TKT-00001' })
    expect(await postReport(site, body(alert('resolved', 'a')))).toEqual({ ...Object(opened), ticket_created: false })
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toMatchObject([
      { count: 2, exception: 'DiskFull', message: 'The disk of a is full', sample: { recovered: false } },
    ])
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toMatchObject([
      { status: 'open', priority: 'urgent' },
    ])
    expect(eventsOf(await queued(server, workspace))).toEqual(['ticket.created'])
  })

  test('without a ticket is accepted and stores nothing', async () => {
    const site = await startOpenSite(start)
    expect(await postReport(site, body(alert('resolved', 'a')))).toEqual({
      received: true,
      ticket_created: false,
      ticket_number: null,
      ticket_id: null,
    })
    expect((await site.server.admin.errorReports.list({ workspace: site.workspaceId })).data).toEqual([])
  })

  test('resolves the ticket once if configured, and the next alert reopens it', async () => {
    const site = await startOpenSite(start)
    const { server, workspace, workspaceId } = site
    await server.admin.integrations.update({ workspace: workspaceId, integration: 'errors' }, { resolve_tickets: true })
    await postReport(site, body(alert('firing', 'a'), alert('firing', 'b')))
    await postReport(site, body(alert('resolved', 'a'), alert('firing', 'b')))
    await postReport(site, body(alert('resolved', 'a')))
    const states = async () =>
      (await server.admin.tickets.list({ workspace: workspaceId })).data
        .map(({ title, status }) => [title, status])
        .toSorted()
    expect(await states()).toEqual([
      ['DiskFull: The disk of a is full', 'resolved'],
      ['DiskFull: The disk of b is full', 'open'],
    ])
    const events = eventsOf(await queued(server, workspace))
    expect(events).toEqual(['ticket.created', 'ticket.created', 'ticket.updated', 'ticket.resolved'])
    expect(await postReport(site, body(alert('firing', 'a')))).toMatchObject({ ticket_created: false })
    expect((await states()).map(([, status]) => status)).toEqual(['open', 'open'])
  })

  test('is recognized from trackers too', async () => {
    const site = await startOpenSite(start)
    const issue = (action: string) => ({
      action,
      data: { issue: { id: '1', title: 'no cart', level: 'error', metadata: { type: 'TypeError', value: 'no cart' } } },
    })
    const opened = await postReport(site, issue('created'))
    expect(opened).toMatchObject({ ticket_created: true })
    expect(await postReport(site, issue('resolved'))).toEqual({ ...Object(opened), ticket_created: false })
  })

  test('resolves the one incident whose updates were counted, and none with the same words', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId } = site
    await server.admin.integrations.update({ workspace: workspaceId, integration: 'errors' }, { resolve_tickets: true })
    const update = (id: string, name: string, status: string, words: string) => ({
      action: status === 'investigating' ? 'created' : 'updated',
      incident: { id, name, status, url: `https://status.example/${id}`, updates: [{ body: words }] },
    })
    const search = await postReport(site, update('i-1', 'Search is down', 'investigating', 'We look into it.'))
    const login = await postReport(site, update('i-2', 'Login is down', 'investigating', 'We look into it.'))
    expect([search, login]).toMatchObject([{ ticket_created: true }, { ticket_created: true }])
    const next = await postReport(site, update('i-1', 'Search is down', 'identified', 'The cause was found.'))
    expect(next).toEqual({ ...Object(search), ticket_created: false })
    await postReport(site, update('i-1', 'Search is down', 'resolved', 'It works again.'))
    const tickets = (await server.admin.tickets.list({ workspace: workspaceId })).data
    expect(tickets.map(({ title, status }) => [title.split(':', 1)[0], status]).toSorted()).toEqual([
      ['Login is down', 'open'],
      ['Search is down', 'resolved'],
    ])
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data.map(({ count }) => count)).toEqual(
      expect.arrayContaining([1, 3]),
    )
  })
})

const rule = (id: string, text: string, state = 'firing') => ({
  ...{ level: 'error', rule_id: id, rule_name: 'Disk', host: 'web1', message: text },
  state,
})

onEveryStore('alerts about two things', (start) => {
  test('have two tickets if their ids, names, or places differ, and each counts its updates and its end', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    const { admin } = server
    const bodies = [
      rule('r1', 'Threshold exceeded'),
      rule('r2', 'Threshold exceeded'),
      { ...rule('r1', 'Threshold exceeded'), host: 'web2' },
      { text: '*Backup 1* is down' },
      { text: '*Backup 2* is down' },
      { workflow: 'CI', status: 'failure', repository: 'acme/shop' },
      { workflow: 'CI', status: 'failure', repository: 'acme/depot' },
      { event: 'occurred', fault: { id: 5, klass: 'Oops', message: 'Boom' } },
      { event: 'occurred', fault: { id: 6, klass: 'Oops', message: 'Boom' } },
    ]
    for (const body of bodies) expect(await postReport(site, body)).toMatchObject({ ticket_created: true })
    const updates = [
      rule('r1', 'Still above the threshold'),
      rule('r1', '', 'resolved'),
      { text: '*Backup 1* is back up' },
      { event: 'resolved', fault: { id: 6, klass: 'Oops', message: 'Boom' } },
    ]
    const quiet = [
      { event: 'deploy', app: 'shop', version: '1.2' },
      { alert_name: 'Test alert', message: 'Test', state: 'firing' },
      { text: '*Backup 3* is back up' },
    ]
    for (const body of [...updates, ...quiet])
      expect(await postReport(site, body)).toMatchObject({ ticket_created: false })
    expect((await admin.tickets.list({ workspace })).data).toHaveLength(bodies.length)
    const errors = (await admin.errorReports.list({ workspace })).data
    expect(errors.map(({ count }) => count).toSorted()).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 3])
  })
})
