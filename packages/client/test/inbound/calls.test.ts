import { deviceSecretHeader, webhookSecretHeader } from '@service/contract'
import { recordedPunch, unmatchedPunch } from '@service/contract/docs/example-values'
import { expect, it } from 'vitest'
import { createInboundClient, type InboundClientOptions } from '../../src/inbound.ts'
import { json, network, refused, reset } from '../support/client.ts'
import { inboundWith, receipts, secrets } from './inbound-client.ts'

const ping = { status: 'ok', message: 'Ready.', workspace: 'Acme', configured: true, supported_methods: ['POST'] }

it('sends each ping to its path without credentials', async () => {
  const device = { id: 1, source_type: 'zkteco', device_name: 'Door', external_device_id: null }
  const answers = {
    '/api/webhooks/42/github': { ...ping, provider: 'github' },
    '/api/webhooks/42/errors': ping,
    '/api/webhooks/42/attendance': { ...ping, payload_example: {}, registered_devices: [device], note: 'N' },
    '/api/webhooks/42/leads/website': { ...ping, supported_sources: ['website'], source_hint: 'website' },
  }
  const { fetch, requests } = network((request) => json(Object(answers)[new URL(request.url).pathname]))
  const { inbound } = inboundWith({ fetch, token: 'service_abc' })
  const given = [
    await inbound.git.ping('github'),
    await inbound.errors.ping(),
    await inbound.attendance.ping(),
    await inbound.leads.ping('website'),
  ]
  expect(given).toEqual(Object.values(answers))
  for (const request of requests) {
    expect(request.method).toBe('GET')
    expect([...request.headers.keys()].toSorted()).toEqual(['accept', 'user-agent'])
  }
})

it('sends only the secret of the route', async () => {
  const { fetch, requests } = network(
    json(receipts.error),
    json({ received: true, ...recordedPunch }),
    json(receipts.lead),
    json({ ...receipts.lead, source: 'tiktok' }),
  )
  const { inbound } = inboundWith({ fetch, token: 'service_abc' })
  await inbound.errors.report({ message: 'Full' })
  await inbound.attendance.punch({ employee_code: 'E-1', device_id: 1 })
  await inbound.leads.capture('website', { name: 'Grace' })
  await inbound.leads.capture('tiktok', { name: 'Grace' })
  const sent = requests.map(({ headers }) => [headers.get(webhookSecretHeader), headers.get(deviceSecretHeader)])
  expect(sent).toEqual([
    [secrets.errors, null],
    [secrets.attendance, null],
    [secrets.leads.website, null],
    [null, null],
  ])
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([null, null, null, null])
})

it("sends a device's secret instead of the workspace's", async () => {
  const { fetch, requests } = network(json({ received: true, ...recordedPunch }))
  const { inbound } = inboundWith({ fetch, secrets: { ...secrets, device: 'whs_device' } })
  await inbound.attendance.punch({ employee_code: 'E-1' })
  expect([webhookSecretHeader, deviceSecretHeader].map((name) => requests[0]?.headers.get(name))).toEqual([
    null,
    'whs_device',
  ])
})

it('reports errors with a token if there is no secret, and fetches a new token after a 401', async () => {
  const { fetch, requests } = network(json({ message: 'Invalid.' }, 401), json(receipts.error))
  const tokens = ['service_old', 'service_new']
  const { inbound } = inboundWith({ fetch, secrets: {}, token: () => tokens.shift() ?? '' })
  expect(await inbound.errors.report({ message: 'Full' })).toEqual(receipts.error)
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer service_old',
    'Bearer service_new',
  ])
})

it('copies the secrets when it is created', async () => {
  const { fetch, requests } = network(json(receipts.error), json(receipts.lead))
  const mine = { errors: 'whs_before', leads: { website: 'whs_before' } }
  const { inbound } = inboundWith({ fetch, secrets: mine })
  mine.errors = 'whs_after'
  mine.leads.website = 'whs_after'
  await inbound.errors.report({})
  await inbound.leads.capture('website', {})
  expect(requests.map(({ headers }) => headers.get(webhookSecretHeader))).toEqual(['whs_before', 'whs_before'])
})

const { check_in_at: _, ...withoutCheckIn } = recordedPunch
const onLeave = { recorded: false, reason: 'on_leave' }

it.each([
  [422, unmatchedPunch, {}],
  [200, unmatchedPunch, {}],
  [422, onLeave, { hint: null, registered_devices: null }],
  [200, onLeave, { hint: null, registered_devices: null }],
  [200, withoutCheckIn, { check_in_at: null }],
])('gives a punch that was answered %i as a result, with missing fields as null', async (status, punch, missing) => {
  const { inbound } = inboundWith({ fetch: network(json({ received: true, ...punch }, status)).fetch })
  const result = await inbound.attendance.punch({ employee_code: 'E-1', external_device_id: 'D-9' }).safe()
  expect(result).toMatchObject({ ok: true, data: { received: true, ...punch, ...missing }, meta: { status } })
})

it('throws a ValidationError for any other 422', async () => {
  const refusal = { message: 'The employee is missing.', errors: { employee_code: ['The employee is missing.'] } }
  const { inbound } = inboundWith({ fetch: network(json(refusal, 422)).fetch })
  expect(await inbound.attendance.punch({ device_id: 1 }).safe()).toMatchObject({
    ok: false,
    error: { name: 'ValidationError', errors: refusal.errors, route: '/webhooks/{workspace}/attendance' },
  })
})

it('sends a call once, however it is read', async () => {
  const { fetch, requests } = network(json(receipts.lead, 200, { 'x-request-id': 'req-1' }))
  const { inbound } = inboundWith({ fetch })
  const call = inbound.leads.capture('website', { name: 'Grace', team_size: 12 })
  expect(await call).toEqual(receipts.lead)
  expect(await call.withMeta()).toMatchObject({ data: receipts.lead, meta: { requestId: 'req-1', attempts: 1 } })
  expect((await call.safe()).ok).toBe(true)
  expect(requests).toHaveLength(1)
  expect(await requests[0]?.json()).toEqual({ name: 'Grace', team_size: 12 })
})

it('names a missing field, or returns the response unchanged if onUnexpectedResponse is ignore', async () => {
  const { source: _, ...drifted } = { ...receipts.lead, lead_id: 'four' }
  const { fetch } = network(json(drifted))
  const result = await inboundWith({ fetch }).inbound.leads.capture('website', {}).safe()
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: 'unexpected_response',
      issues: [
        { path: 'lead_id', message: 'The lead_id field must be of type integer.' },
        { path: 'source', message: 'The source field is required.' },
      ],
    },
  })
  const lenient = inboundWith({ fetch, onUnexpectedResponse: 'ignore' }).inbound
  expect(await lenient.leads.capture('website', {})).toEqual(drifted)
})

it.each([null, [], 'text', 7])('sends nothing if a lead is %o', async (body) => {
  const { fetch, requests } = network(json(receipts.lead))
  const { inbound } = inboundWith({ fetch })
  const result = await inbound.leads.capture('website', body as never).safe() // the types reject it
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid_request', issues: [{ path: '' }], attempts: 0 } })
  expect(requests).toEqual([])
})

it.each([new FormData(), new URLSearchParams({ name: 'Grace' }), new Map([['name', 'Grace']])])(
  'refuses the lead %o instead of sending an empty one',
  async (lead) => {
    const { fetch, requests } = network(json(receipts.lead))
    const { error } = await inboundWith({ fetch })
      .inbound.leads.capture('website', lead as never) // the types reject some
      .safe()
    expect(error).toMatchObject({ code: 'invalid_request', delivered: 'no', issues: [{ path: '' }] })
    expect(error?.message).toContain('Use Object.fromEntries')
    expect(requests).toEqual([])
  },
)

it.each([new Date(Number.NaN), Number.NaN])('refuses a punch with the timestamp %o', async (timestamp) => {
  const { fetch, requests } = network(json({ received: true, ...recordedPunch }))
  const punch = { employee_code: 'E-1', timestamp } as never // the types reject it
  const { error } = await inboundWith({ fetch }).inbound.attendance.punch(punch).safe()
  expect(error).toMatchObject({ code: 'invalid_request', issues: [{ path: 'timestamp' }] })
  expect(requests).toEqual([])
})

it('refuses a Git payload that JSON would change', async () => {
  const { fetch, requests } = network(json(receipts.git))
  const { error } = await inboundWith({ fetch }).inbound.git.send('github', 'push', { at: Number.NaN }).safe()
  expect(error).toMatchObject({ code: 'invalid_request', delivered: 'no', issues: [{ path: 'at' }] })
  expect(requests).toEqual([])
})

it('reports errors with any value in the context or in a report', async () => {
  const { fetch, requests } = network(json(receipts.error))
  const values = { at: new Date(Number.NaN), rate: Number.NaN, map: new Map() }
  const { inbound } = inboundWith({ fetch })
  await inbound.errors.report(new Error('full'), values)
  await inbound.errors.report({ message: 'full', ...values })
  expect(requests).toHaveLength(2)
})

it('reports values that cannot be read, such as a revoked proxy', async () => {
  const { fetch, requests } = network(json(receipts.error))
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  expect(await inboundWith({ fetch }).inbound.errors.report(proxy)).toEqual(receipts.error)
  expect(await requests[0]?.json()).toMatchObject({ message: 'Something unreadable was thrown.' })
})

it('retries only requests that did not arrive, unless an idempotency key makes it safe', async () => {
  const attempts = async (fault: Error, options: Partial<InboundClientOptions>) => {
    const { fetch, requests } = network(fault, json(receipts.error))
    const result = await inboundWith({ fetch, ...options })
      .inbound.errors.report({ message: 'Full' })
      .safe()
    const keys = new Set(requests.map(({ headers }) => headers.get('idempotency-key')))
    return [result.ok, requests.length, keys.size]
  }
  expect(await attempts(refused(), {})).toEqual([true, 2, 1])
  expect(await attempts(reset(), {})).toEqual([false, 1, 1])
  expect(await attempts(reset(), { idempotency: 'auto' })).toEqual([true, 2, 1])
  expect(await attempts(refused(), { maxRetries: 0 })).toEqual([false, 1, 1])
})

it.each([
  [{ webhookBaseUrl: 'example.com' }, 'webhookBaseUrl'],
  [{ webhookBaseUrl: 'http://example.com/api' }, 'allowInsecure'],
  [{ workspace: 0 }, 'workspace'],
  [{ token: 'two words' }, 'token'],
  [{ secrets: { errors: '' } }, 'secrets.errors is missing.'],
  [{ secrets: { errors: undefined } }, 'secrets.errors is missing.'],
  [{ secrets: { git: { github: undefined } } }, 'secrets.git.github is missing.'],
  [{ secrets: { device: 'a\nb' } }, 'secrets.device'],
  [{ secrets: { leads: { website: 7 } } }, 'secrets.leads.website'],
  [{ secrets: { git: { github: ' x' } } }, 'secrets.git.github'],
  [{ timeoutMs: 0 }, 'timeoutMs'],
])('rejects %o when the client is created, naming %s', (wrong, option) => {
  const options = { webhookBaseUrl: 'https://example.com/api', workspace: 1, ...wrong } as InboundClientOptions // the types reject some
  expect(() => createInboundClient(options)).toThrow(TypeError)
  expect(() => createInboundClient(options)).toThrow(option)
})

it('does not let headers replace the secret', () => {
  const { inbound } = inboundWith({ fetch: network(json(receipts.error)).fetch })
  const headers = { 'X-Service-Webhook-Secret': 'other' }
  expect(() => inbound.errors.report({}, {}, { headers })).toThrow('X-Service-Webhook-Secret')
})
