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
})
