import { eventNames } from '@service/contract'
import { expect, test } from 'vitest'
import type { ServerOptions } from '../../src/index.ts'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { call, seedWorkspace } from '../workspace.ts'
import { type Reply, startReceiver, status } from './receiver.ts'
import { sendingOptions } from './subscribed.ts'

const adminToken = 'admin-token-of-enough-characters'
const longAgo = '2020-01-01T00:00:00Z'

/** A platform with a workspace, a receiver, and functions that call the admin API with its token. */
async function startAdministered(start: Start, { reply, ...options }: { reply?: Reply } & ServerOptions = {}) {
  const server = await start({ ...sendingOptions(), adminToken, ...options })
  const seeded = await seedWorkspace(server)
  const receiver = await startReceiver(reply)
  const at = (path: string, workspaceId = seeded.workspace.id) => `/admin/v1/workspaces/${workspaceId}/${path}`
  const ask = (method: string, path: string, body?: unknown) =>
    call(server, { method, path: at(path), token: adminToken, ...(body === undefined ? {} : { body }) })
  const create = async (settings: object = {}) => {
    const { body } = await ask('POST', 'webhooks', { url: `${receiver.url}/hook`, events: ['*'], ...settings })
    receiver.expects(body)
    return body
  }
  const createTicket = (title: string) => server.admin.tickets.create({ workspace: seeded.workspace.id }, { title })
  return { ...seeded, server, receiver, at, ask, create, createTicket }
}

onEveryStore('webhooks over HTTP', (start) => {
  test('are created, read, updated, disabled, enabled, and deleted', async () => {
    const { receiver, ask } = await startAdministered(start)
    const settings = {
      url: `${receiver.url}/hook`,
      events: ['ticket.*', 'task.created'],
      description: 'Ours',
      encoding: 'base64',
      standard_webhooks: true,
      headers: { 'X-Key': 'hidden' },
      rate_per_minute: 600,
      schedule: [1, 60, 3600],
      fifo: true,
    }
    const { headers: _, ...shown } = { ...settings, events: settings.events.toSorted(), header_names: ['X-Key'] }
    const created = await ask('POST', 'webhooks', settings)
    expect(created).toMatchObject({ status: 201, body: { ...shown, enabled: true } })
    const { id, secret, ...subscription } = created.body
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(created.headers.get('cache-control')).toBe('no-store')
    expect(await ask('GET', `webhooks/${id}`)).toMatchObject({ status: 200, body: { id, ...subscription } })
    const listed = { data: [{ id, ...subscription }], next_before: null, next_cursor: null }
    expect((await ask('GET', 'webhooks')).body).toEqual(listed)
    const patch = { events: ['*'], rate_per_minute: null, schedule: null, fifo: false }
    const changed = { ...shown, ...patch, header_names: [] }
    expect(await ask('PATCH', `webhooks/${id}`, { ...patch, headers: {} })).toMatchObject({
      status: 200,
      body: changed,
    })
    expect(await ask('PATCH', `webhooks/${id}`, {})).toMatchObject({ status: 200, body: changed })
    const disabled = { enabled: false, disabled_reason: 'manual' }
    expect(await ask('POST', `webhooks/${id}/disable`)).toMatchObject({ status: 200, body: disabled })
    expect(await ask('POST', `webhooks/${id}/enable`)).toMatchObject({ status: 200, body: { enabled: true } })
    expect(await ask('DELETE', `webhooks/${id}`)).toMatchObject({ status: 200, body: { id } })
    expect(await ask('GET', `webhooks/${id}`)).toMatchObject({ status: 404 })
    expect((await ask('GET', 'webhooks')).body).toEqual({ ...listed, data: [] })
  })

  test('have their secret rotated with an overlap, and only the creating responses contain it', async () => {
    const { receiver, ask, create, createTicket } = await startAdministered(start)
    const { id, secret } = await create({ standard_webhooks: true })
    const rotated = await ask('POST', `webhooks/${id}/rotate-secret`, { overlap_hours: 48 })
    receiver.expects(rotated.body)
    expect(rotated.body).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      previous_secret_until: expect.stringMatching(/^2026-11-22/),
    })
    expect(rotated.body.secret).not.toBe(secret)
    const revoked = await ask('POST', `webhooks/${id}/revoke-previous-secret`)
    expect(revoked).toMatchObject({ status: 200, body: { previous_secret_until: null } })
    const again = await ask('POST', `webhooks/${id}/rotate-secret`)
    receiver.expects(again.body)
    expect(again.body.previous_secret_until).toMatch(/^2026-11-21/)
    await createTicket('A')
    const shown = JSON.stringify([
      await ask('GET', 'webhooks'),
      await ask('GET', `webhooks/${id}`),
      await ask('PATCH', `webhooks/${id}`, { description: 'x' }),
      await ask('POST', `webhooks/${id}/disable`),
      await ask('POST', `webhooks/${id}/enable`),
      await ask('GET', 'deliveries'),
      revoked,
    ])
    for (const hidden of [secret, rotated.body.secret, again.body.secret]) expect(shown).not.toContain(hidden.slice(6))
    expect(shown).not.toContain('"secret"')
  })

  test('list their deliveries by subscription and state, with body and attempts, and resend one', async () => {
    const { server, workspace, receiver, ask, create, createTicket } = await startAdministered(start)
    const { id } = await create()
    const failing = await startReceiver(status(500))
    const other = await create({ url: failing.url, events: ['task.*'] })
    failing.expects(other)
    await createTicket('Größe')
    await server.admin.tasks.create({ workspace: workspace.id }, { title: 'T' })
    await server.deliveries.runDue()
    const list = async (query: string) => (await ask('GET', `deliveries${query}`)).body.data
    expect(await list('')).toHaveLength(3)
    expect(await list(`?subscription_id=${id}&limit=1`)).toMatchObject([{ subscription_id: id, event: 'task.created' }])
    expect(await list('?state=pending')).toMatchObject([{ subscription_id: other.id, attempts: 1 }])
    expect(await list(`?subscription_id=${id}&state=pending`)).toEqual([])
    const [, delivery] = await list(`?subscription_id=${id}`)
    const [request] = receiver.received.filter(({ headers }) => headers['x-service-delivery'] === delivery.uuid)
    expect((await ask('GET', `deliveries/${delivery.id}`)).body).toEqual({ ...delivery, body: String(request?.body) })
    const { curl } = (await ask('GET', `deliveries/${delivery.id}/curl`)).body
    expect(curl).toMatch(/^ {2}curl /m)
    expect(curl).toContain(`X-Service-Delivery: ${delivery.uuid}`)
    expect(await ask('POST', `deliveries/${delivery.id}/resend`)).toMatchObject({ body: { state: 'pending' } })
    await server.deliveries.runDue()
    const { data } = (await ask('GET', `deliveries/${delivery.id}/attempts`)).body
    expect(data).toMatchObject([
      { number: 2, outcome: 'ok', status: 204 },
      { number: 1, outcome: 'ok', status: 204, started_at: expect.stringMatching(/^2026-11-20T/) },
    ])
  })

  test('accept a test event of each type', async () => {
    const { server, receiver, ask, create } = await startAdministered(start)
    const { id } = await create({ events: ['task.created'], standard_webhooks: true })
    for (const event of eventNames) {
      expect(await ask('POST', `webhooks/${id}/test`, { event })).toMatchObject({
        status: 200,
        body: { event, is_test: true, state: 'pending', subscription_id: id },
      })
    }
    await server.deliveries.runDue()
    const names = receiver.received.map(({ headers }) => headers['x-service-event'])
    expect(names.sort()).toEqual([...eventNames].sort())
    expect((await ask('GET', 'deliveries?state=succeeded')).body.data).toHaveLength(eventNames.length)
  })

  test('report the number of deliveries to recover or replay, and then the progress of the job', async () => {
    const { server, receiver, ask, create, createTicket } = await startAdministered(start)
    const first = await create({ events: ['ticket.*'] })
    await ask('POST', `webhooks/${first.id}/disable`)
    for (const title of ['A', 'B', 'C']) await createTicket(title)
    await server.deliveries.runDue()
    await ask('POST', `webhooks/${first.id}/enable`)
    const late = await create({ url: `${receiver.url}/late`, events: ['ticket.*'] })
    const dry = { since: longAgo, dry_run: true }
    expect((await ask('POST', `webhooks/${first.id}/recover`, dry)).body).toMatchObject({ count: 3 })
    expect((await ask('POST', `webhooks/${late.id}/replay-missing`, dry)).body).toEqual({ count: 3 })
    await server.deliveries.runDue()
    expect(receiver.received).toEqual([])
    const recovering = await ask('POST', `webhooks/${first.id}/recover`, { since: longAgo })
    const replaying = await ask('POST', `webhooks/${late.id}/replay-missing`, { since: longAgo, dry_run: false })
    const job = async ({ body }: typeof recovering) => (await ask('GET', `delivery-jobs/${body.job_id}`)).body
    expect(await job(recovering)).toMatchObject({ kind: 'recover', subscription_id: first.id })
    await server.deliveries.runDue()
    for (const [asked, kind] of [
      [recovering, 'recover'],
      [replaying, 'replay'],
    ] as const) {
      expect(await job(asked)).toMatchObject({
        kind,
        state: 'finished',
        done: 3,
        progress: 1,
        finished_at: expect.stringMatching(/^2026/),
      })
    }
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(
      ['/hook', '/late'].flatMap((path) => Array(3).fill(path)),
    )
    expect(await ask('POST', `webhooks/${first.id}/recover`, dry)).toMatchObject({ body: { count: 0 } })
  })
})

const url = 'https://hooks.example/'
const events = ['*']

/** Path with `ID` for that of a subscription, body, and what is said about which field. */
const refusals: (readonly [string, string, unknown, Record<string, string>])[] = [
  ['POST', 'webhooks', {}, { url: 'The url field is required.', events: 'The events field is required.' }],
  ['POST', 'webhooks', '{', { body: 'The request body must be valid JSON in UTF-8.' }],
  ['POST', 'webhooks', '[]', { body: 'The body field must be an object.' }],
  [
    'POST',
    'webhooks',
    { url, events: ['ticket.deleted'] },
    { 'events.0': expect.stringContaining('ticket.created, ') },
  ],
  [
    'POST',
    'webhooks',
    { url, events, rate_per_minut: 1 },
    { rate_per_minut: expect.stringContaining('Did you mean rate_per_minute?') },
  ],
  ['POST', 'webhooks', { url, events: [] }, { events: 'The events field must be at least 1 items.' }],
  [
    'POST',
    'webhooks',
    { url: 'ftp://x', events },
    { url: expect.stringContaining('must be an http or https address') },
  ],
  [
    'POST',
    'webhooks',
    { url, events, encoding: 'md5' },
    { encoding: expect.stringContaining('hex, sha256=hex, base64') },
  ],
  [
    'POST',
    'webhooks',
    { url, events, headers: { Host: 'x' } },
    { 'headers.Host': 'The header Host is set by the platform.' },
  ],
  ['POST', 'webhooks', { url, events, rate_per_minute: 0 }, { rate_per_minute: expect.stringContaining('at least 1') }],
  ['POST', 'webhooks', { url, events, schedule: [] }, { schedule: expect.stringContaining('at least 1 items') }],
  [
    'POST',
    'webhooks',
    { url, events, schedule: Array(21).fill(1) },
    { schedule: expect.stringContaining('greater than 20') },
  ],
  ['POST', 'webhooks', { url, events, schedule: [5, 0] }, { 'schedule.1': expect.stringContaining('at least 1') }],
  [
    'POST',
    'webhooks',
    { url, events, schedule: [604_801] },
    { 'schedule.0': expect.stringContaining('greater than 604800') },
  ],
  ['POST', 'webhooks', { url, events, schedule: [1.5] }, { 'schedule.0': 'The schedule.0 field must be an integer.' }],
  ['POST', 'webhooks', { url, events, fifo: 'yes' }, { fifo: 'The fifo field must be a boolean.' }],
  ['PATCH', 'webhooks/ID', { events: ['ticket.exploded'] }, { 'events.0': expect.stringContaining('must be one of') }],
  [
    'POST',
    'webhooks/ID/rotate-secret',
    { overlap_hours: 169 },
    { overlap_hours: expect.stringContaining('greater than 168') },
  ],
  ['POST', 'webhooks/ID/test', {}, { event: expect.stringContaining('The event field') }],
  ['POST', 'webhooks/ID/test', { event: 'ticket.*' }, { event: expect.stringContaining('project.updated') }],
  ['POST', 'webhooks/ID/recover', {}, { since: 'The since field is required.' }],
  ...['2026-11-20', '2026-02-30T00:00:00Z'].map(
    (since) =>
      [
        'POST',
        'webhooks/ID/recover',
        { since },
        { since: 'The since field must be a valid date and time with a UTC offset, such as 2026-01-31T09:00:00Z.' },
      ] as const,
  ),
  [
    'POST',
    'webhooks/ID/replay-missing',
    { since: longAgo, dry_run: 1 },
    { dry_run: 'The dry_run field must be a boolean.' },
  ],
  ['GET', 'deliveries?state=lost', undefined, { state: expect.stringContaining('pending, succeeded, failed, held') }],
  [
    'GET',
    'deliveries?subscription_id=x',
    undefined,
    { subscription_id: 'The subscription_id field must be a number.' },
  ],
  ['GET', 'deliveries?limit=0', undefined, { limit: expect.stringContaining('from 1 to 200') }],
]

onEveryStore('a request to administer webhooks', (start) => {
  test('that is wrong is refused with the field and what would be right, and changes nothing', async () => {
    const { ask, create } = await startAdministered(start)
    const { secret: _, ...subscription } = await create()
    for (const [method, path, body, said] of refusals) {
      const answer = await ask(method, path.replace('ID', subscription.id), body)
      const errors = Object.fromEntries(Object.entries(said).map(([field, sentence]) => [field, [sentence]]))
      expect([method, path, body, answer.status, answer.body.errors]).toEqual([method, path, body, 422, errors])
    }
    expect((await ask('GET', 'webhooks')).body.data).toEqual([subscription])
    expect((await ask('GET', 'deliveries')).body.data).toEqual([])
    expect((await ask('GET', 'delivery-jobs')).body.data).toEqual([])
  })

  test('that names something which is not there, or is in another workspace, finds nothing', async () => {
    const { server, at, ask, create, createTicket } = await startAdministered(start)
    const { id } = await create()
    await createTicket('A')
    const [delivery] = (await ask('GET', 'deliveries')).body.data
    const { job_id } = (await ask('POST', `webhooks/${id}/recover`, { since: longAgo })).body
    const elsewhere = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const asked = ([subscription, itsDelivery, job]: readonly unknown[]): [string, string, object?][] => [
      ['GET', `webhooks/${subscription}`],
      ['PATCH', `webhooks/${subscription}`, {}],
      ['DELETE', `webhooks/${subscription}`],
      ...['enable', 'disable', 'rotate-secret', 'revoke-previous-secret'].map((action): [string, string] => [
        'POST',
        `webhooks/${subscription}/${action}`,
      ]),
      ['POST', `webhooks/${subscription}/test`, { event: 'task.created' }],
      ['POST', `webhooks/${subscription}/recover`, { since: longAgo }],
      ['POST', `webhooks/${subscription}/replay-missing`, { since: longAgo, dry_run: true }],
      ['GET', `deliveries/${itsDelivery}`],
      ['GET', `deliveries/${itsDelivery}/attempts`],
      ['GET', `deliveries/${itsDelivery}/curl`],
      ['POST', `deliveries/${itsDelivery}/resend`],
      ['GET', `delivery-jobs/${job}`],
    ]
    const statuses = async (workspaceId: number | undefined, requests: [string, string, object?][]) =>
      Promise.all(
        requests.map(async ([method, path, body]) => {
          const request = { method, path: at(path, workspaceId), token: adminToken, body }
          return [path, (await call(server, request)).status]
        }),
      )
    for (const [workspaceId, ...ids] of [
      [elsewhere.id, id, delivery.id, job_id],
      [undefined, 999, 999, 999],
      [undefined, '99999999999999999999', '99999999999999999999', '99999999999999999999'],
      [undefined, 'x', 'x', 'x'],
    ] as const) {
      const requests = asked(ids)
      expect(await statuses(workspaceId, requests)).toEqual(requests.map(([, path]) => [path, 404]))
    }
    const withoutToken = await Promise.all(
      asked([id, delivery.id, job_id]).map(([method, path, body]) => call(server, { method, path: at(path), body })),
    )
    for (const answer of withoutToken)
      expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
    expect((await ask('GET', 'webhooks')).body.data).toMatchObject([{ id, enabled: true }])
  })

  test('with another method lists the allowed ones, and with a body that is not JSON explains how to send it', async () => {
    const { server, at, ask, create } = await startAdministered(start)
    const { id } = await create()
    const wrong = await ask('PUT', `webhooks/${id}`, {})
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE'])
    const form = await call(server, {
      method: 'POST',
      path: at('webhooks'),
      token: adminToken,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'url=x',
    })
    expect(form).toMatchObject({
      status: 415,
      body: { message: expect.stringContaining('Content-Type: application/json') },
    })
    expect(await ask('POST', `webhooks/${id}/disable`)).toMatchObject({ status: 200 })
    for (const [path, body] of [
      ['test', { event: 'task.created' }],
      ['recover', { since: longAgo }],
    ] as const) {
      expect(await ask('POST', `webhooks/${id}/${path}`, body)).toMatchObject({
        status: 409,
        body: { message: `Subscription ${id} is disabled: enable it first.` },
      })
    }
  })
})
