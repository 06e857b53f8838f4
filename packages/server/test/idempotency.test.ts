import { successStatus } from '@service/contract'
import { expect, test } from 'vitest'
import { microsPerHour, microsPerSecond } from '../src/core/clock.ts'
import { collectedLog } from './collected-log.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { seedForEveryRoute, writingRequests } from './sample-requests.ts'
import { call, clientOf, queued, seedWorkspace } from './workspace.ts'

const reused = 'The Idempotency-Key header was used with another request; send a new key.'
const badKey = 'The Idempotency-Key header must have 1 to 255 printable characters.'

onEveryStore('an Idempotency-Key', (start) => {
  async function startCreating(options: Parameters<typeof start>[0] = {}) {
    const server = await start(options)
    const seeded = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${seeded.workspace.id}/tickets`
    const create = (key: string, body: unknown = { title: 'Broken' }, token = seeded.token) =>
      call(server, { method: 'POST', path, token, body, headers: { 'idempotency-key': key } })
    return { server, create, ...seeded }
  }

  test('gives the stored answer to the same request on every writing route, and acts once', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    for (const request of writingRequests(workspace.id)) {
      const keyed = { ...request, token, headers: { 'idempotency-key': 'key-1' } }
      const first = await call(server, keyed)
      // A key belongs to one route: the same text on another one is another key.
      const answers = [first, await call(server, keyed)]
      expect(answers.map(({ status }) => status)).toEqual([successStatus(request.route), successStatus(request.route)])
      expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
      expect(answers[1]?.body).toEqual(answers[0]?.body)
    }
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toHaveLength(1)
    expect((await server.admin.tasks.list({ workspace: workspace.id })).data).toHaveLength(1)
    expect((await server.admin.leads.list({ workspace: workspace.id })).data).toHaveLength(1)
    expect(await queued(server, workspace)).toHaveLength(2)
  })

  test('is refused with another body, byte for byte, and the first answer stays', async () => {
    const { create, server, workspace } = await startCreating()
    await create('key-1', '{"title":"Broken"}')
    for (const body of ['{"title":"Other"}', '{"title": "Broken"}', '{"title":"Broken","category":null}']) {
      const refused = await create('key-1', body)
      expect([refused.status, refused.body]).toEqual([
        422,
        { message: reused, errors: { 'Idempotency-Key': [reused] } },
      ])
    }
    expect((await create('key-1', '{"title":"Broken"}')).headers.get('idempotency-replayed')).toBe('true')
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toHaveLength(1)
  })

  test('belongs to one token', async () => {
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

  test('is forgotten after 24 hours', async () => {
    const clock = manualClock()
    const { create } = await startCreating({ clock })
    await create('key-1')
    clock.advance(24 * microsPerHour - microsPerSecond)
    expect((await create('key-1')).body.data.id).toBe(1)
    clock.advance(microsPerSecond)
    const anew = await create('key-1', { title: 'Another' })
    expect([anew.status, anew.body.data.id, anew.headers.get('idempotency-replayed')]).toEqual([201, 2, null])
  })

  test('makes one ticket of 50 requests at once, and all 50 get its answer', async () => {
    const { create, server, workspace } = await startCreating()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('key-1')))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toHaveLength(1)
    expect(await queued(server, workspace)).toHaveLength(1)
  })

  test('is not used up by a request that failed, for whatever reason', async () => {
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

  test('is not used up by a conflict, and works once the conflict is over', async () => {
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

  test('says nothing on a read', async () => {
    const { server, workspace, token } = await startCreating()
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    for (const key of ['key-1', 'key-1', '']) {
      const { status, headers } = await call(server, { path, token, headers: { 'idempotency-key': key } })
      expect([status, headers.get('idempotency-replayed')]).toEqual([200, null])
    }
  })

  test('lets the typed client repeat a call', async () => {
    const { server, workspace, token } = await startCreating()
    const { tickets } = clientOf(server, { workspace, token })
    const once = { idempotencyKey: 'order-7' }
    const first = await tickets.create({ title: 'Broken' }, once)
    expect(await tickets.create({ title: 'Broken' }, once)).toEqual(first)
    await expect(tickets.create({ title: 'Other' }, once)).rejects.toMatchObject({ name: 'ValidationError' })
  })
})
