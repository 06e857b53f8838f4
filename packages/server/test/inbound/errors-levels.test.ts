import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { queued } from '../workspace.ts'
import { postReport, startOpenSite } from './inbound-site.ts'

const nothingOpened = { received: true, ticket_created: false, ticket_number: null, ticket_id: null }

/** One line below warning in the format of several senders. */
const quiet = {
  pino: { level: 30, time: 1, msg: 'cart viewed' },
  winston: { level: 'debug', message: 'cart viewed' },
  otlp: { resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityNumber: 9, body: { stringValue: 'cart' } }] }] }] },
  access: { message: 'GET /cart', status: 200, method: 'GET', url: '/cart' },
  batch: [{ message: 'cart viewed', severity: 'info' }],
  graded: { message: 'cart viewed', severity: 'info', level: 'info' },
  worker: {
    outcome: 'ok',
    scriptName: 'shop',
    event: { request: { url: 'https://a.example/', method: 'GET' } },
    exceptions: [],
    logs: [],
  },
}

/** Bodies with only documented fields that report success, or nothing. */
const documented = {
  'without a field': {},
  'of information': { message: 'cart viewed', severity: 'info' },
  'of debugging': { message: 'cart viewed', severity: 'debug' },
  'that is ok': { message: 'the cart works', severity: 'ok' },
  'that is resolved': {
    message: '[RESOLVED] the cart works again',
    severity: 'resolved',
    url: 'https://shop.example/',
  },
  'of a severity alone': { severity: 'notice' },
  'of a success': { status_code: 200 },
  'of a request': { message: 'GET /cart', status_code: 200, method: 'GET', url: '/cart' },
  'without words': { message: '', severity: 'info' },
  'without values': { message: null, exception: null, status_code: null, severity: null },
  'of two lines': { message: 'cart viewed\nby ann', severity: 'info' },
  'of a line as JSON': { message: '{"level":"info","msg":"cart viewed"}', severity: 'debug' },
  'with unknown fields': { message: 'cart viewed', severity: 'info', request_id: 'r1', user: { id: 7 } },
}

onEveryStore('the level of an error report', (start) => {
  test.each(Object.entries(documented))('of a documented body does not matter: %s', async (_, report) => {
    const site = await startOpenSite(start)
    const { server, workspaceId: workspace } = site
    const opened = { received: true, ticket_created: true, ticket_number: 'TKT-00001', ticket_id: expect.any(Number) }
    expect(await server.admin.errorReports.explain({ workspace }, { body: report })).toMatchObject({
      data: [{ opens_ticket: true, recovered: false, ticket_id: null }],
    })
    const first = await postReport(site, report)
    expect(first).toEqual(opened)
    expect(await postReport(site, report)).toEqual({ ...Object(first), ticket_created: false })
    expect((await server.admin.errorReports.list({ workspace })).data).toMatchObject([{ count: 2 }])
    expect(await queued(server, site.workspace)).toHaveLength(1)
  })

  test('of a documented body decides while a minimum level is set', async () => {
    const site = await startOpenSite(start)
    const { integrations } = site.server.admin
    const errors = { workspace: site.workspaceId, integration: 'errors' } as const
    const report = { message: 'cart viewed', severity: 'info' }
    expect(await integrations.update(errors, { min_level: 'error' })).toMatchObject({ min_level: 'error' })
    expect(await postReport(site, report)).toEqual(nothingOpened)
    expect(await integrations.update(errors, { min_level: null })).toMatchObject({ min_level: null })
    expect(await postReport(site, report)).toMatchObject({ ticket_created: true })
  })

  test('of another format opens a ticket from warning up', async () => {
    const site = await startOpenSite(start)
    expect(await postReport(site, { level: 'warning', message: 'the queue is long' })).toMatchObject({
      ticket_created: true,
    })
  })

  test.each(Object.entries(quiet))('below a warning opens and counts nothing: %s', async (_, report) => {
    const site = await startOpenSite(start)
    const { server, workspace, workspaceId } = site
    expect(await postReport(site, report)).toEqual(nothingOpened)
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toEqual([])
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toEqual([])
    expect(await queued(server, workspace)).toEqual([])
  })

  test('below the minimum level is counted without a ticket, until the same error is reported at a higher level', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    await server.admin.integrations.update({ workspace: workspaceId, integration: 'errors' }, { min_level: 'error' })
    const slow = { message: 'the queue is long', severity: 'warning' }
    expect(await inbound.errors.report(slow)).toEqual(nothingOpened)
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toMatchObject([
      { ticket_id: null, severity: 'warning' },
    ])
    const opened = await inbound.errors.report({ ...slow, severity: 'error' })
    expect(opened).toMatchObject({ ticket_created: true })
    expect(await inbound.errors.report(slow)).toEqual(nothingOpened)
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toMatchObject([
      { count: 3, ticket_id: opened.ticket_id },
    ])
  })

  test('opens tickets from the minimum level up', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const opens = async (severity: string) =>
      (await inbound.errors.report({ message: `said as ${severity}`, severity })).ticket_created
    const { integrations } = server.admin
    const at = { workspace, integration: 'errors' } as const
    expect(await integrations.get(at)).toMatchObject({ min_level: null, resolve_tickets: false })
    await integrations.update(at, { min_level: 'info' })
    expect([await opens('debug'), await opens('info'), await opens('error')]).toEqual([false, true, true])
    await integrations.update(at, { min_level: 'critical', resolve_tickets: true })
    expect([await opens('high'), await opens('critical')]).toEqual([false, true])
    expect(await integrations.update(at, { enabled: true })).toMatchObject({
      min_level: 'critical',
      resolve_tickets: true,
    })
  })

  test('can be set only for error reports and only to a known level', async () => {
    const { server, workspaceId: workspace } = await startOpenSite(start)
    const refused = { status: 422 }
    const update = (integration: 'errors' | 'attendance' | 'github', patch: object) =>
      server.admin.integrations.update({ workspace, integration }, patch).safe()
    expect(await update('errors', { min_level: 'loud' })).toMatchObject({ error: refused })
    expect(await update('attendance', { min_level: 'info' })).toMatchObject({ error: refused })
    expect(await update('github', { resolve_tickets: true })).toMatchObject({ error: refused })
  })

  test('of a log drain opens a ticket only for the error line', async () => {
    const site = await startOpenSite(start)
    const { server, workspaceId } = site
    const line = (level: string, index: number) => ({ level, message: `${level} of ${'abcdefgh'[index]} in the cart` })
    const drain = [...Array.from({ length: 8 }, (_, index) => line('info', index)), line('error', 0)]
    expect(await postReport(site, drain)).toMatchObject({ ticket_created: true, ticket_number: 'TKT-00001' })
    expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toHaveLength(1)
  })
})
