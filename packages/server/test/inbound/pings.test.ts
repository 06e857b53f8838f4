import { leadSources } from '@service/contract'
import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { enableAll, inboundOf, startSite } from './inbound-site.ts'

const off = {
  status: 'ok',
  message: expect.any(String),
  workspace: '1',
  configured: false,
  supported_methods: ['POST'],
}
const on = { ...off, configured: true }

onEveryStore('pings', (start) => {
  test('return every documented field, and whether the integration is enabled, without a credential', async () => {
    const site = await startSite(start)
    const inbound = inboundOf(site)
    const {
      secret: _,
      time_zone: __,
      timestamp_format: ___,
      ...device
    } = await site.server.admin.devices.create(
      { workspace: site.workspaceId },
      { source_type: 'zkteco', device_name: 'Front door', external_device_id: 'DOOR-1' },
    )
    const answers = async () => [
      await inbound.git.ping('github'),
      await inbound.git.ping('gitlab'),
      await inbound.git.ping('bitbucket'),
      await inbound.errors.ping(),
      await inbound.attendance.ping(),
      await inbound.leads.ping('website'),
    ]
    const expected = (ping: typeof off) => [
      { ...ping, provider: 'github' },
      { ...ping, provider: 'gitlab' },
      { ...ping, provider: 'bitbucket' },
      ping,
      {
        ...ping,
        registered_devices: [device],
        note: expect.stringContaining('UTC offset'),
        payload_example: {
          employee_code: expect.any(String),
          external_device_id: expect.any(String),
          source_type: expect.any(String),
          direction: 'in',
          timestamp: expect.stringMatching(/[+-]\d\d:\d\d$/),
        },
      },
      { ...ping, supported_sources: leadSources, source_hint: 'website' },
    ]
    expect(await answers()).toEqual(expected(off))
    await enableAll(site)
    expect(await answers()).toEqual(expected(on))
    expect(leadSources).toHaveLength(6)
  })

  test('return an example punch that is accepted unchanged', async () => {
    for (const external_device_id of ['DOOR-1', null]) {
      const site = await startSite(start)
      const { attendance } = await enableAll(site)
      const { admin } = site.server
      const workspace_id = site.workspaceId
      const [member] = (await admin.members.list({ workspace: workspace_id })).data.toReversed()
      await admin.employees.create({ workspace: workspace_id }, { user_id: member?.id ?? 0 })
      await admin.devices.create(
        { workspace: workspace_id },
        { source_type: 'zkteco', device_name: 'Door', external_device_id },
      )
      const path = `/api/webhooks/${workspace_id}/attendance`
      const { body } = await call(site.server, { path })
      const headers = { 'x-service-webhook-secret': attendance }
      const answer = await call(site.server, { method: 'POST', path, headers, body: body.payload_example })
      expect([answer.status, answer.body.recorded]).toEqual([200, true])
      expect(JSON.stringify(body)).not.toContain('Acme')
    }
  })

  test('of an unknown lead source list the six sources', async () => {
    const inbound = inboundOf(await startSite(start))
    expect(await inbound.leads.ping('carrier_pigeon')).toMatchObject({
      configured: false,
      supported_sources: leadSources,
      source_hint: 'carrier_pigeon',
    })
  })

  test('of a disabled integration report it as not configured', async () => {
    const site = await startSite(start)
    await enableAll(site)
    const { server, workspaceId: workspace_id } = site
    await server.admin.integrations.update({ workspace: workspace_id, integration: 'github' }, { enabled: false })
    await server.admin.integrations.update({ workspace: workspace_id, integration: 'errors' }, { enabled: false })
    await server.admin.integrations.update({ workspace: workspace_id, integration: 'attendance' }, { enabled: false })
    await server.admin.leadSources.update({ workspace: workspace_id, source: 'website' }, { enabled: false })
    const inbound = inboundOf(site)
    const { git, errors, attendance, leads } = inbound
    const pings = [git.ping('github'), git.ping('gitlab'), errors.ping(), attendance.ping(), leads.ping('website')]
    expect((await Promise.all(pings)).map(({ configured }) => configured)).toEqual([false, true, false, false, false])
  })

  test('return 404 for an unknown workspace or provider', async () => {
    const site = await startSite(start)
    const elsewhere = inboundOf({ ...site, workspaceId: site.workspaceId + 1 })
    const { git, errors, attendance, leads } = elsewhere
    const pings = [git.ping('github'), errors.ping(), attendance.ping(), leads.ping('website')]
    const results = await Promise.all(pings.map((ping) => ping.safe()))
    expect(results.map((result) => !result.ok && result.error.code)).toEqual(pings.map(() => 'not_found'))
    const base = `/api/webhooks/${site.workspaceId}`
    for (const path of [
      `${base}/gitea`,
      `${base}/GitHub`,
      '/api/webhooks/abc/github',
      `${base}/leads`,
      `${base}/errors/1`,
    ]) {
      expect([path, (await call(site.server, { path })).status]).toEqual([path, 404])
    }
  })

  test('return 405 and the allowed methods for other methods', async () => {
    const { server, workspaceId } = await startSite(start)
    for (const place of ['github', 'errors', 'attendance', 'leads/website']) {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await call(server, { method, path: `/api/webhooks/${workspaceId}/${place}` })
        expect([place, method, status, headers.get('allow')]).toEqual([
          place,
          method,
          405,
          expect.stringMatching(/GET.*POST/),
        ])
      }
    }
  })

  test('share one rate limit with deliveries and with unauthenticated REST requests', async () => {
    const { server, workspaceId, token } = await startSite(start, { rateLimit: 4 })
    const ping = `/api/webhooks/${workspaceId}/errors`
    const statuses = [
      await call(server, { path: ping }),
      await call(server, { path: `/api/webhooks/${workspaceId}/github`, method: 'POST', body: {} }),
      await call(server, { path: `/api/v1/workspaces/${workspaceId}/tickets` }),
      await call(server, { path: `/api/webhooks/${workspaceId}/leads/website` }),
      await call(server, { path: ping }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 404, 401, 200, 429])
    expect((await call(server, { path: ping, token })).status).toBe(200)
  })
})
