import { expect, test } from 'vitest'
import { microsPerSecond } from '../../src/core/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { call, seedWorkspace } from '../workspace.ts'
import { holdingReply, startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

const adminToken = 'admin-token-of-enough-characters'

onEveryStore('the URL of a subscription', (start) => {
  test('that points to a private network is refused, and the error names the setting that allows it', async () => {
    const server = await start({ ...sendingOptions(), egressAllow: [] })
    const at = { workspace: (await seedWorkspace(server)).workspace.id }
    const given = { url: 'https://hooks.example/', events: ['*' as const] }
    const { id } = await server.admin.webhooks.create(at, given)
    const privateUrls = { 'http://2130706433/': '127.0.0.1', 'http://[fd00:ec2::254]/': '[fd00:ec2::254]' }
    for (const [url, host] of Object.entries({ ...privateUrls, 'http://LOCALHOST:3000/': 'localhost' })) {
      const sentence = `The url field must lead to the public internet, and ${host} does not. Allow it with the setting egressAllow (SERVICE_EGRESS_ALLOW).`
      const refusal = { code: 'validation', errors: { url: [sentence] } }
      await expect(server.admin.webhooks.create(at, { ...given, url })).rejects.toMatchObject(refusal)
      await expect(server.admin.webhooks.update({ ...at, id }, { url })).rejects.toMatchObject(refusal)
    }
    expect((await server.admin.webhooks.list(at)).data).toMatchObject([given])
  })

  test('that has port 0 is refused, and the error names the port', async () => {
    const server = await start(sendingOptions())
    const at = { workspace: (await seedWorkspace(server)).workspace.id }
    const sentence = 'The url field must not have port 0. Use the port of the receiver.'
    const refusal = { code: 'validation', errors: { url: [sentence] } }
    const { id } = await server.admin.webhooks.create(at, { url: 'https://hooks.example/', events: ['*'] })
    const [url, events] = ['https://hooks.example:0/', ['*' as const]]
    await expect(server.admin.webhooks.create(at, { url, events })).rejects.toMatchObject(refusal)
    await expect(server.admin.webhooks.update({ ...at, id }, { url })).rejects.toMatchObject(refusal)
  })

  test('may point to a private network that the setting allows by address, range, or name', async () => {
    const egressAllow = ['::1', 'app.localhost', '10.20.0.0/16', 'Hooks.Internal']
    const server = await start({ ...sendingOptions(), egressAllow })
    const at = { workspace: (await seedWorkspace(server)).workspace.id }
    const allowed = ['http://localhost:3000/', 'http://app.localhost/', 'http://10.20.3.4/', 'http://hooks.internal/']
    for (const url of [...allowed, 'https://local.example/', 'https://8.8.8.8/'])
      expect(await server.admin.webhooks.create(at, { url, events: ['*'] })).toMatchObject({ url })
  })

  test('is stored in normalized form, without a fragment', async () => {
    const server = await start(sendingOptions())
    const workspace = (await seedWorkspace(server)).workspace.id
    for (const [given, url] of [
      ['HTTPS://Hooks.EXAMPLE:443/In?a=1', 'https://hooks.example/In?a=1'],
      ['http://hooks.example:80', 'http://hooks.example/'],
      ['https://hooks.example/a/../b#part', 'https://hooks.example/b'],
      ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ] as const) {
      const { id } = await server.admin.webhooks.create({ workspace }, { url: given, events: ['*'] })
      expect(await server.admin.webhooks.get({ workspace, id })).toMatchObject({ url })
      await server.admin.webhooks.update({ workspace, id }, { url: 'https://other.example/' })
      expect(await server.admin.webhooks.update({ workspace, id }, { url: given })).toMatchObject({ url })
    }
  })
})

onEveryStore('administration of webhooks', (start) => {
  test('refuses invalid URLs, events, and headers, and stores nothing', async () => {
    const server = await start(sendingOptions())
    const at = { workspace: (await seedWorkspace(server)).workspace.id }
    const valid = { url: 'https://hooks.example/', events: ['*' as const] }
    const urls = [
      'ftp://hooks.example/',
      'hooks.example',
      'javascript:alert(1)',
      'https://user:password@hooks.example/',
    ]
    const names = ['Content-Type', 'X-Service-Event', 'webhook-id', 'Host', 'bad name', 'Transfer-Encoding']
    const wrong: [object, string][] = [
      ...urls.map((url): [object, string] => [{ url }, 'url']),
      [{ events: ['ticket.deleted'] }, 'events.0'],
      [{ events: ['ticket.exploded'] }, 'events.0'],
      [{ events: [] }, 'events'],
      ...names.map((name): [object, string] => [{ headers: { [name]: 'x' } }, `headers.${name}`]),
      [{ headers: { 'X-Fine': 'a\r\nX-Service-Event: forged' } }, 'headers.X-Fine'],
      [{ headers: { 'X-Key': 'new', 'x-key': 'old' } }, 'headers.x-key'],
    ]
    for (const [input, field] of wrong)
      await expect(server.admin.webhooks.create(at, { ...valid, ...input }), field).rejects.toMatchObject({
        code: 'validation',
        errors: { [field]: [expect.any(String)] },
      })
    expect((await server.admin.webhooks.list(at)).data).toEqual([])
  })

  test('lists, resends, disables, and rotates over HTTP with the admin token only', async () => {
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

  test('a failing receiver makes no delivery overdue, and a working one that is not sent to does', async () => {
    const options = sendingOptions()
    const server = await start({ ...options, adminToken })
    const { createTicket } = await subscribe(server, { reply: status(500) })
    await createTicket('A')
    await server.deliveries.runDue()
    options.clock.advance(24 * 3600 * microsPerSecond)
    const scrape = async () => {
      const headers = { authorization: `Bearer ${adminToken}` }
      const text = await (await server.fetch('http://platform.example/metrics', { headers })).text()
      const value = (name: string) => Math.round(Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]))
      return {
        overdue: value('service_delivery_overdue_seconds'),
        failing: value('service_subscriptions_failing'),
        failingSeconds: value('service_subscriptions_failing_seconds'),
      }
    }
    expect(await scrape()).toEqual({ overdue: 0, failing: 1, failingSeconds: 24 * 3600 })
    const held = holdingReply()
    const { createTicket: createOther } = await subscribe(server, { reply: held.reply })
    await createOther('B')
    options.clock.advance(120 * microsPerSecond)
    expect((await scrape()).overdue).toBe(120)
    held.answerAll()
  })

  test('exposes requests, attempts, and pending deliveries as Prometheus metrics', async () => {
    const server = await start({ ...sendingOptions(), adminToken })
    const { workspace, createTicket } = await subscribe(server)
    const failing = await startReceiver(status(500))
    await subscribeReceiver(server, failing, { workspace: workspace.id })
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
