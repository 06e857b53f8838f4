import { expect, test } from 'vitest'
import { microsPerMinute } from '../../src/core/clock.ts'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { siteIn, startOpenSite } from './inbound-site.ts'

const adminToken = 'service_admin_0123456789'
const lists = [
  'activities',
  'error-reports',
  'punches',
  'attendance-sessions',
  'unmatched-punches',
  'leads',
  'inbound-deliveries',
] as const

/** A site that has received three deliveries of each kind. */
async function startBusy(start: Start) {
  const site = await startOpenSite(start, { adminToken })
  const { server, workspaceId: workspace_id, inbound } = site
  const [member] = (await server.admin.members.list({ workspace: workspace_id })).data.toReversed()
  await server.admin.employees.create({ workspace: workspace_id }, { user_id: member?.id ?? 0, employee_code: 'E-1' })
  await server.admin.devices.create(
    { workspace: workspace_id },
    { source_type: 'zkteco', device_name: 'D', external_device_id: 'D-1' },
  )
  for (const day of [16, 17, 18]) {
    await inbound.git.send('github', 'push', { ref: `refs/heads/day-${day}`, repository: { full_name: 'acme/shop' } })
    await inbound.errors.report({
      message: `boom ${'abc'[day - 16]}`,
      exception: 'E',
      file: 'a.ts',
      line: day,
      framework: 'node',
      environment: 'test',
      severity: 'warning',
    })
    const punch = { employee_code: 'E-1', external_device_id: 'D-1', timestamp: `2026-11-${day}T09:00:00Z` }
    await inbound.attendance.punch({ ...punch, direction: 'in' })
    await inbound.attendance.punch({ ...punch, employee_code: `E-${day}` })
    await inbound.leads.capture('website', { name: `Lead ${day}`, email: `lead${day}@example.org` })
  }
  const read = (path: string, token = adminToken) =>
    call(server, { path: `/admin/v1/workspaces/${workspace_id}/${path}`, token })
  return { ...site, read }
}

onEveryStore('the read operations of administration', (start) => {
  test('lists the inquiries of one lead or of all leads, newest first', async () => {
    const { inbound, read } = await startBusy(start)
    const again = { email: 'lead16@example.org', message: 'Once more' }
    const { lead_id } = await inbound.leads.capture('tiktok', again)
    const ofLead = await read(`lead-enquiries?lead_id=${lead_id}`)
    expect([ofLead.status, ofLead.body.next_before]).toEqual([200, null])
    expect(ofLead.body.data).toMatchObject([
      { lead_id, source: 'tiktok', notes: 'Once more' },
      { lead_id, source: 'website' },
    ])
    const first = (await read(`lead-enquiries?lead_id=${lead_id}&limit=1`)).body
    expect([first.data, first.next_before]).toEqual([ofLead.body.data.slice(0, 1), first.data[0].id])
    expect((await read('lead-enquiries')).body.data).toHaveLength(4)
    expect((await read('lead-enquiries?lead_id=999')).body.data).toEqual([])
    const refused = { status: 422, body: { errors: { lead_id: [expect.stringContaining('lead_id')] } } }
    for (const id of ['x', '-1', '1.5', '']) expect(await read(`lead-enquiries?lead_id=${id}`)).toMatchObject(refused)
    expect((await read('lead-enquiries', 'service_admin_wrong')).status).toBe(401)
  })

  test('pages through every list, newest first', async () => {
    const { read } = await startBusy(start)
    for (const list of lists) {
      const { status, body } = await read(list)
      expect([list, status, body.next_before]).toEqual([list, 200, null])
      const ids: number[] = body.data.map(({ id }: { id: number }) => id)
      expect([list, ids]).toEqual([list, ids.toSorted((a, b) => b - a)])
      expect(ids.length).toBeGreaterThanOrEqual(3)
      const first = (await read(`${list}?limit=2`)).body
      expect([list, first.data, first.next_before]).toEqual([list, body.data.slice(0, 2), ids[1]])
      const rest = (await read(`${list}?limit=200&before=${first.next_before}`)).body
      expect([list, rest]).toEqual([list, { ...body, data: body.data.slice(2) }])
    }
  })

  test('shows received deliveries and their results', async () => {
    const { read, workspaceId } = await startBusy(start)
    const newest = async (list: string) => (await read(`${list}?limit=1`)).body.data[0]
    const instant = expect.stringMatching(/^2026-11-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(await newest('activities')).toMatchObject({
      provider: 'github',
      event: 'push',
      ref: 'refs/heads/day-18',
      repository: 'acme/shop',
      created_at: instant,
    })
    expect(await newest('error-reports')).toMatchObject({
      count: 1,
      first_seen_at: instant,
      last_seen_at: instant,
      sample: {
        message: 'boom c',
        exception: 'E',
        file: 'a.ts',
        line: 18,
        framework: 'node',
        environment: 'test',
        severity: 'warning',
      },
    })
    expect(await newest('punches')).toMatchObject({
      at: '2026-11-18T09:00:00.000000Z',
      direction: 'in',
      via: 'webhook',
      received_at: instant,
    })
    expect(await newest('attendance-sessions')).toMatchObject({
      check_in_at: instant,
      check_out_at: null,
      day: '2026-11-18',
    })
    expect(await newest('unmatched-punches')).toMatchObject({
      reason: 'employee_not_found',
      punch: { employee_code: 'E-18' },
    })
    expect(await newest('leads')).toMatchObject({ name: 'Lead 18', source: 'website', status: 'new' })
    expect(await newest('inbound-deliveries')).toMatchObject({
      integration: 'leads',
      status: 200,
      received_at: instant,
    })
    const everything = JSON.stringify(await Promise.all(lists.map((list) => read(list))))
    expect(everything).not.toContain(`"workspace_id":${workspaceId}`)
  })

  test('does not show the data of another workspace', async () => {
    const { server, clock, read } = await startBusy(start)
    const other = await siteIn(server, clock, 'Other')
    for (const list of lists) {
      const path = `/admin/v1/workspaces/${other.workspaceId}/${list}`
      expect((await call(server, { path, token: adminToken })).body).toMatchObject({ data: [], next_before: null })
    }
    const [waiting] = (await read('unmatched-punches')).body.data
    const replay = `/admin/v1/workspaces/${other.workspaceId}/unmatched-punches/${waiting.id}/replay`
    expect((await call(server, { method: 'POST', path: replay, token: adminToken })).status).toBe(404)
    const nowhere = await call(server, { path: '/admin/v1/workspaces/999/activities', token: adminToken })
    expect(nowhere).toMatchObject({ status: 404, body: { message: expect.any(String) } })
  })

  test('rejects callers without a token, and tokens of the REST API', async () => {
    const { server, clock, workspaceId, token } = await startOpenSite(start, { adminToken })
    for (const list of lists) {
      clock.advance(microsPerMinute) // after ten failures in a minute, the IP address would get a 429 response
      const path = `/admin/v1/workspaces/${workspaceId}/${list}`
      expect([list, (await call(server, { path, token })).status]).toEqual([list, 403])
      for (const wrong of [undefined, `${adminToken}x`, adminToken.slice(0, -1)]) {
        const answer = await call(server, { path, ...(wrong === undefined ? {} : { token: wrong }) })
        expect([list, wrong, answer.status, answer.body]).toEqual([list, wrong, 401, { message: 'Unauthenticated.' }])
      }
    }
  })

  test('is unavailable without a configured administration token', async () => {
    const { server, workspaceId } = await startOpenSite(start)
    const path = `/admin/v1/workspaces/${workspaceId}/activities`
    for (const token of ['', 'undefined', 'null']) {
      expect((await call(server, { path, token })).status).toBe(401)
    }
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['before=0', 'before'],
    ['before=-1', 'before'],
    ['before=99999999999999999999', 'before'],
    ['before=1;drop', 'before'],
  ])('refuses ?%s', async (query, field) => {
    const { server, workspaceId } = await startOpenSite(start, { adminToken })
    const path = `/admin/v1/workspaces/${workspaceId}/leads?${query}`
    const { status, body } = await call(server, { path, token: adminToken })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('logs refused bodies of authenticated senders only', async () => {
    const { server, workspaceId, inbound, secrets } = await startOpenSite(start)
    await inbound.attendance.punch({}).safe()
    await inbound.git.send('github', 'push', '{').safe()
    const lead = { method: 'POST', path: `/api/webhooks/${workspaceId}/leads/website`, body: '[1]' }
    await call(server, { ...lead, headers: { 'x-service-webhook-secret': secrets.leads['website'] ?? '' } })
    await call(server, { ...lead, headers: { 'x-service-webhook-secret': 'whs_wrong' } })
    const deliveries = (await server.admin.inboundDeliveries.list({ workspace: workspaceId })).data
    expect(deliveries.map(({ integration, status }) => [integration, status])).toEqual([
      ['leads', 422],
      ['github', 422],
      ['attendance', 422],
    ])
    for (const { summary } of deliveries) expect(summary).toMatch(/\.( \(and \d+ more errors?\))?$/)
  })
})

onEveryStore(
  'the list of the last deliveries',
  (start) => {
    test('keeps about 500 deliveries per integration', async () => {
      const { server, workspaceId, inbound } = await startOpenSite(start)
      await inbound.errors.report({ message: 'once' })
      for (let hundred = 0; hundred < 8; hundred += 1) {
        await Promise.all(Array.from({ length: 100 }, () => inbound.git.send('github', 'push', {})))
      }
      const recorded = await server.admin.inboundDeliveries.list({ workspace: workspaceId }, { limit: 200 }).all()
      expect(recorded.filter(({ integration }) => integration === 'errors')).toHaveLength(1)
      const ofGit = recorded.filter(({ integration }) => integration === 'github').length
      expect(ofGit).toBeGreaterThanOrEqual(500)
      expect(ofGit).toBeLessThanOrEqual(550)
    })
  },
  ['memory'],
)
