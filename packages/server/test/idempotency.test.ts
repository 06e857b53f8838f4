import { successStatus } from '@service/contract'
import { expect, test } from 'vitest'
import { microsPerHour, microsPerSecond } from '../src/core/clock.ts'
import { collectedLog } from './collected-log.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { eventsOf, seedForEveryRoute, writingRequests } from './sample-requests.ts'
import { call, clientOf, queued, seedWorkspace } from './workspace.ts'

const reused = 'The Idempotency-Key header was used with another request; send a new key.'
const badKey = 'The Idempotency-Key header must have 1 to 255 printable ASCII characters without spaces.'

onEveryStore('an Idempotency-Key', (start) => {
  async function startCreating(options: Parameters<typeof start>[0] = {}) {
    const server = await start(options)
    const seeded = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${seeded.workspace.id}/tickets`
    const create = (key: string, body: unknown = { title: 'Broken' }, token = seeded.token) =>
      call(server, { method: 'POST', path, token, body, headers: { 'idempotency-key': key } })
    return { server, create, ...seeded }
  }

  test('replays the stored response on every writing route and acts once', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    for (const request of writingRequests(workspace.id)) {
      const keyed = { ...request, token, headers: { 'idempotency-key': 'key-1' } }
      const first = await call(server, keyed)
      // Keys are scoped to a route: the same text on another route is a different key.
      const answers = [first, await call(server, keyed)]
      expect(answers.map(({ status }) => status)).toEqual([successStatus(request.route), successStatus(request.route)])
      expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
      expect(answers[1]?.body).toEqual(answers[0]?.body)
    }
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toHaveLength(1)
    expect((await server.admin.tasks.list({ workspace: workspace.id })).data).toHaveLength(1)
    expect((await server.admin.leads.list({ workspace: workspace.id })).data).toHaveLength(1)
    expect(await queued(server, workspace)).toHaveLength(eventsOf(writingRequests(workspace.id)).length)
  })

  test('is refused with a body of another meaning, and keeps the first response', async () => {
    const { create, server, workspace } = await startCreating()
    await create('key-1', '{"title":"Broken"}')
    for (const body of ['{"title":"Other"}', '{"title":"broken"}', '{"title":"Broken","category":null}']) {
      const refused = await create('key-1', body)
      expect([refused.status, refused.body]).toEqual([
        422,
        { message: reused, errors: { 'Idempotency-Key': [reused] } },
      ])
    }
    expect((await create('key-1', '{"title":"Broken"}')).headers.get('idempotency-replayed')).toBe('true')
    const written = ['{ "title":\n"Broken" }', '{"title":"Br\\u006fken"}']
    for (const body of written) {
      expect((await create('key-1', body)).headers.get('idempotency-replayed')).toBe('true')
    }
    const inOrder = await create('key-2', '{"title":"A","priority":"low","tags":["a","b"]}')
    const otherOrder = await create('key-2', '{"tags":["a","b"],"priority":"low","title":"A"}')
    expect([inOrder.status, otherOrder.body]).toEqual([201, inOrder.body])
    expect((await create('key-2', '{"title":"A","priority":"low","tags":["b","a"]}')).status).toBe(422)
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toHaveLength(2)
  })

  test('is scoped to one token', async () => {
    const { create, server, workspace, member } = await startCreating()
    const other = await server.admin.tokens.create(
      { workspace: workspace.id },
      { user_id: member.id, scopes: ['tickets:write'] },
    )
    const answers = [await create('key-1'), await create('key-1', { title: 'Mine' }, other.token)]
    expect(answers.map(({ status, body }) => [status, body.data.id])).toEqual([
      [201, 1],
      [201, 2],
    ])
  })

  test('expires after 24 hours', async () => {
    const clock = manualClock()
    const { create } = await startCreating({ clock })
    await create('key-1')
    clock.advance(24 * microsPerHour - microsPerSecond)
    expect((await create('key-1')).body.data.id).toBe(1)
    clock.advance(microsPerSecond)
    const next = await create('key-1', { title: 'Another' })
    expect([next.status, next.body.data.id, next.headers.get('idempotency-replayed')]).toEqual([201, 2, null])
  })

  test('creates one ticket for 50 concurrent requests, which all get its response', async () => {
    const { create, server, workspace } = await startCreating()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('key-1')))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toHaveLength(1)
    expect(await queued(server, workspace)).toHaveLength(1)
  })

  test('can be reused after a failed request', async () => {
    let faults = 1
    const hooks = {
      ticketCreated() {
        faults -= 1
        if (faults >= 0) throw new Error('once')
      },
    }
    const { create, server, workspace } = await startCreating({ hooks, log: collectedLog() })
    const failures = [
      await create('key-1', '{'),
      await create('key-1', {}),
      await create('key-1', { title: 'Broken', project_id: 999 }),
      await create('key-1', { title: 'Broken' }, 'service_x'),
      await create('key-1'),
    ]
    expect(failures.map(({ status }) => status)).toEqual([422, 422, 422, 401, 500])
    const { status, body, headers } = await create('key-1', { title: 'Another' })
    expect([status, body.data.title, headers.get('idempotency-replayed')]).toEqual([201, 'Another', null])
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toHaveLength(1)
  })

  test('can be reused after a conflict is resolved', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const lead = { name: 'Ben', source: 'website', email: 'ben@lead.example' }
    const path = `/api/v1/workspaces/${workspace.id}/crm/leads`
    const create = (key: string) =>
      call(server, { method: 'POST', path, token, body: lead, headers: { 'idempotency-key': key } })
    await create('key-1')
    expect((await create('key-2')).status).toBe(409)
    await server.admin.leads.update({ workspace: workspace.id, id: 1 }, { status: 'lost' })
    expect((await create('key-2')).status).toBe(201)
    expect((await create('key-1')).body.data.id).toBe(1)
  })

  test('must have 1 to 255 printable characters', async () => {
    const { create, server, workspace } = await startCreating()
    for (const key of ['', 'x'.repeat(256), 'two words', 'caf\u00e9', 'tab\tbed']) {
      const { status, body } = await create(key)
      expect([status, body]).toEqual([422, { message: badKey, errors: { 'Idempotency-Key': [badKey] } }])
    }
    for (const key of ['x', 'y'.repeat(255), '"quoted"', '!~']) expect((await create(key)).status).toBe(201)
    expect(await queued(server, workspace)).toHaveLength(4)
  })

  test('is ignored on reads', async () => {
    const { server, workspace, token } = await startCreating()
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    for (const key of ['key-1', 'key-1', '']) {
      const { status, headers } = await call(server, { path, token, headers: { 'idempotency-key': key } })
      expect([status, headers.get('idempotency-replayed')]).toEqual([200, null])
    }
  })

  test('allows the typed client to retry a call', async () => {
    const { server, workspace, token } = await startCreating()
    const { tickets } = clientOf(server, { workspace, token })
    const once = { idempotencyKey: 'order-7' }
    const first = await tickets.create({ title: 'Broken' }, once)
    expect(await tickets.create({ title: 'Broken' }, once)).toEqual(first)
    await expect(tickets.create({ title: 'Other' }, once)).rejects.toMatchObject({ name: 'ValidationError' })
  })
})
