import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { call, seedWorkspace } from '../workspace.ts'
import { startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

const adminToken = 'admin-token-of-enough-characters'

onEveryStore('administration of webhooks', (start) => {
  test.each([
    'ftp://hooks.example/',
    'hooks.example',
    'javascript:alert(1)',
    'https://user:password@hooks.example/',
    'https://hooks.example/#part',
  ])('refuses %s as a url', async (url) => {
    const server = await start(sendingOptions())
    const { workspace } = await seedWorkspace(server)
    await expect(
      server.admin.webhooks.create({ workspace_id: workspace.id, url, events: ['*'] }),
    ).rejects.toMatchObject({
      code: 'validation',
      errors: { url: [expect.stringContaining('url')] },
    })
    expect(await server.admin.webhooks.list(workspace.id)).toEqual([])
  })

  test.each([
    [['ticket.deleted'], 'events.0'],
    [['lead.*'], 'events.0'],
    [[], 'events'],
  ])('refuses %j as events', async (events, field) => {
    const server = await start(sendingOptions())
    const { workspace } = await seedWorkspace(server)
    const creating = server.admin.webhooks.create({ workspace_id: workspace.id, url: 'https://hooks.example/', events })
    await expect(creating).rejects.toMatchObject({ code: 'validation', errors: { [field]: expect.anything() } })
  })

  test.each(['Content-Type', 'X-Service-Event', 'webhook-id', 'Host', 'bad name', 'Transfer-Encoding'])(
    'refuses a header named %s',
    async (name) => {
      const server = await start(sendingOptions())
      const { workspace } = await seedWorkspace(server)
      const url = 'https://hooks.example/'
      const input = { workspace_id: workspace.id, url, events: ['*'], headers: { [name]: 'x' } }
      await expect(server.admin.webhooks.create(input)).rejects.toMatchObject({ code: 'validation' })
      await expect(
        server.admin.webhooks.create({ ...input, headers: { 'X-Fine': 'a\r\nX-Service-Event: forged' } }),
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
