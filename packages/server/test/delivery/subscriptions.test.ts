import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { call, seedWorkspace } from '../workspace.ts'
import { startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

const adminToken = 'admin-token-of-enough-characters'

/** What each way of writing a private host is shown as. */
const privateHosts = [
  ['http://127.0.0.1:8080/hook', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://0177.0.0.1/', '127.0.0.1'],
  ['http://127.0.0.1./', '127.0.0.1'],
  ['http://10.1.2.3/', '10.1.2.3'],
  ['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
  ['http://[::1]/', '[::1]'],
  ['http://[::ffff:7f00:1]/', '[::ffff:7f00:1]'],
  ['http://[fd00:ec2::254]/', '[fd00:ec2::254]'],
  ['http://LOCALHOST:3000/', 'localhost'],
  ['http://localhost./', 'localhost.'],
  ['http://app.localhost/', 'app.localhost'],
  ['http://printer.local/', 'printer.local'],
  ['http://metadata.google.internal/', 'metadata.google.internal'],
  ['http://nas.home.arpa/', 'nas.home.arpa'],
] as const

onEveryStore('the URL of a subscription', (start) => {
  test.each(privateHosts)(
    '%s is refused when it is set, and the setting that allows it is named',
    async (url, host) => {
      const server = await start({ ...sendingOptions(), egressAllow: [] })
      const { workspace } = await seedWorkspace(server)
      const refusal = {
        code: 'validation',
        errors: {
          url: [
            `The url field must lead to the public internet, and ${host} does not. Allow it with the setting egressAllow (SERVICE_EGRESS_ALLOW).`,
          ],
        },
      }
      const inWorkspace = { workspace: workspace.id }
      const given = { url: 'https://hooks.example/', events: ['*' as const] }
      await expect(server.admin.webhooks.create(inWorkspace, { ...given, url })).rejects.toMatchObject(refusal)
      const { id } = await server.admin.webhooks.create(inWorkspace, given)
      const at = { workspace_id: workspace.id, id }
      await expect(
        server.admin.webhooks.update({ workspace: at.workspace_id, id: at.id }, { url }),
      ).rejects.toMatchObject(refusal)
      expect(await server.admin.webhooks.get({ workspace: at.workspace_id, id: at.id })).toMatchObject({
        url: 'https://hooks.example/',
      })
    },
  )

  test.each([
    ['http://localhost:3000/', ['127.0.0.1']],
    ['http://localhost:3000/', ['::1']],
    ['http://app.localhost/', ['app.localhost']],
    ['http://10.20.3.4/', ['10.20.0.0/16']],
    ['http://hooks.internal/', ['Hooks.Internal']],
    ['http://hooks.internal/', ['10.20.0.0/16']],
    ['https://local.example/', []],
    ['https://internal.example/', []],
    ['https://8.8.8.8/', []],
  ])('%s is taken where %j is allowed', async (url, egressAllow) => {
    const server = await start({ ...sendingOptions(), egressAllow })
    const { workspace } = await seedWorkspace(server)
    expect(await server.admin.webhooks.create({ workspace: workspace.id }, { url, events: ['*'] })).toMatchObject({
      url,
    })
  })

  test.each([
    ['HTTPS://Hooks.EXAMPLE:443/In?a=1', 'https://hooks.example/In?a=1'],
    ['http://hooks.example:80', 'http://hooks.example/'],
    ['https://hooks.example/a/../b#part', 'https://hooks.example/b'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('%s is kept as %s', async (given, url) => {
    const server = await start(sendingOptions())
    const { workspace } = await seedWorkspace(server)
    const created = await server.admin.webhooks.create({ workspace: workspace.id }, { url: given, events: ['*'] })
    const at = { workspace_id: workspace.id, id: created.id }
    expect([created.url, (await server.admin.webhooks.get({ workspace: at.workspace_id, id: at.id })).url]).toEqual([
      url,
      url,
    ])
    await server.admin.webhooks.update({ workspace: at.workspace_id, id: at.id }, { url: 'https://other.example/' })
    expect(await server.admin.webhooks.update({ workspace: at.workspace_id, id: at.id }, { url: given })).toMatchObject(
      { url },
    )
  })
})

onEveryStore('administration of webhooks', (start) => {
  test.each(['ftp://hooks.example/', 'hooks.example', 'javascript:alert(1)', 'https://user:password@hooks.example/'])(
    'refuses %s as a url',
    async (url) => {
      const server = await start(sendingOptions())
      const { workspace } = await seedWorkspace(server)
      await expect(
        server.admin.webhooks.create({ workspace: workspace.id }, { url, events: ['*'] }),
      ).rejects.toMatchObject({
        code: 'validation',
        errors: { url: [expect.stringContaining('url')] },
      })
      expect((await server.admin.webhooks.list({ workspace: workspace.id })).data).toEqual([])
    },
  )

  test.each([
    [['ticket.deleted'], 'events.0'],
    [['lead.*'], 'events.0'],
    [[], 'events'],
  ])('refuses %j as events', async (events, field) => {
    const server = await start(sendingOptions())
    const { workspace } = await seedWorkspace(server)
    const creating = server.admin.webhooks.create(
      { workspace: workspace.id },
      { url: 'https://hooks.example/', events: events as never },
    )
    await expect(creating).rejects.toMatchObject({ code: 'validation', errors: { [field]: expect.anything() } })
  })

  test.each(['Content-Type', 'X-Service-Event', 'webhook-id', 'Host', 'bad name', 'Transfer-Encoding'])(
    'refuses a header named %s',
    async (name) => {
      const server = await start(sendingOptions())
      const { workspace } = await seedWorkspace(server)
      const url = 'https://hooks.example/'
      const inWorkspace = { workspace: workspace.id }
      const input = { url, events: ['*' as const], headers: { [name]: 'x' } }
      await expect(server.admin.webhooks.create(inWorkspace, input)).rejects.toMatchObject({ code: 'validation' })
      await expect(
        server.admin.webhooks.create(inWorkspace, { ...input, headers: { 'X-Fine': 'a\r\nX-Service-Event: forged' } }),
      ).rejects.toMatchObject({ code: 'validation' })
    },
  )

  test('lists subscriptions, deliveries and jobs over HTTP, resends, switches and rotates, for the admin token only', async () => {
    const server = await start({ ...sendingOptions(), adminToken })
    const { workspace, subscription, receiver, createTicket } = await subscribe(server)
    await createTicket('A')
    await server.deliveries.runDue()
    const at = (path: string) => `/admin/v1/workspaces/${workspace.id}/${path}`
    const get = async (path: string) => (await call(server, { path: at(path), token: adminToken })).body.data
    const post = (path: string) => call(server, { method: 'POST', path: at(path), token: adminToken })
    expect(await get('webhooks')).toMatchObject([
      { id: subscription.id, url: `${receiver.url}/hook`, events: ['*'], enabled: true },
    ])
    const [delivery] = await get('deliveries')
    expect(delivery).toMatchObject({ event: 'ticket.created', state: 'succeeded', attempts: 1 })
    expect(await post(`deliveries/${delivery.id}/resend`)).toMatchObject({ status: 200, body: { state: 'pending' } })
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(2)
    expect(await post(`webhooks/${subscription.id}/disable`)).toMatchObject({ status: 200, body: { enabled: false } })
    expect(await post(`webhooks/${subscription.id}/enable`)).toMatchObject({ status: 200, body: { enabled: true } })
    expect((await post(`webhooks/${subscription.id}/rotate-secret`)).body.secret).toMatch(/^whsec_/)
    expect(await post('webhooks/999/disable')).toMatchObject({ status: 404 })
    expect(await get('delivery-jobs')).toMatchObject([{ kind: 'hold' }])
    expect((await call(server, { path: at('webhooks') })).status).toBe(401)
  })

  test('counts requests, attempts and what waits for Prometheus', async () => {
    const server = await start({ ...sendingOptions(), adminToken })
    const { workspace, createTicket } = await subscribe(server)
    const failing = await startReceiver(status(500))
    await subscribeReceiver(server, failing, { workspace_id: workspace.id })
    await createTicket('A')
    await server.deliveries.runDue()
    const scrape = () =>
      server.fetch('http://platform.example/metrics', { headers: { authorization: `Bearer ${adminToken}` } })
    await scrape()
    const response = await scrape()
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = (await response.text()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'service_http_requests_total{method="GET",route="/metrics",status="200"} 1',
        'service_delivery_attempts_total{outcome="ok"} 1',
        'service_delivery_attempts_total{outcome="status"} 1',
        'service_delivery_attempt_seconds_count 2',
        'service_deliveries_pending 1',
        'service_delivery_overdue_seconds 0',
      ]),
    )
    expect((await server.fetch('http://platform.example/metrics')).status).toBe(401)
  })
})
