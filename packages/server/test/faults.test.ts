import { expect, test } from 'vitest'
import { ApiError } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { onEveryStore } from './on-every-store.ts'
import { onDisk, startWithTables } from './tables.ts'
import { call, clientOf, queued, seedWorkspace } from './workspace.ts'

onEveryStore('a server error', (start) => {
  test('is a 500 that hides its cause, stores nothing, and is logged once under the request id', async () => {
    const log = collectedLog()
    const cause = new Error('the hidden cause')
    let faults = 1
    const server = await start({
      log,
      hooks: {
        async ticketCreated(_ticket, admin) {
          if (faults === 0) return
          faults -= 1
          await admin.tasks.create({ workspace: workspace.id }, { title: 'Rolled back' })
          throw cause
        },
      },
    })
    const { workspace, token } = await seedWorkspace(server)
    const request = {
      method: 'POST',
      path: `/api/v1/workspaces/${workspace.id}/tickets`,
      token,
      body: { title: 'Broken', tags: ['a'] },
      headers: { 'x-request-id': 'req-77' },
    }
    const { status, body, headers } = await call(server, request)
    expect([status, body, headers.get('x-request-id')]).toEqual([500, { message: 'Server Error' }, 'req-77'])
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
    expect((await server.admin.tasks.list({ workspace: workspace.id })).data).toEqual([])
    expect(await queued(server, workspace)).toEqual([])
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        sentence: 'Request req-77 failed.',
        fields: { request_id: 'req-77', fault: cause.message, stack: cause.stack },
      },
    ])
    expect((await call(server, request)).body.data).toMatchObject({ ticket_number: 'TKT-00001' })
  })

  test('reaches the typed client as a ServerError', async () => {
    const hooks = { ticketCreated: () => Promise.reject(new Error('no')) }
    const server = await start({ log: collectedLog(), hooks })
    const client = clientOf(server, await seedWorkspace(server))
    await expect(client.tickets.create({ title: 'Broken' })).rejects.toMatchObject({ name: 'ServerError', status: 500 })
  })

  test('may be any thrown value', async () => {
    const log = collectedLog()
    const thrown: unknown[] = ['text', undefined, { message: 'an object', status: 200 }]
    const server = await start({
      log,
      hooks: {
        ticketCreated() {
          // A hook may throw any value.
          throw thrown.shift()
        },
      },
    })
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    for (const count of [1, 2, 3]) {
      const { status, body } = await call(server, { method: 'POST', path, token, body: { title: 'Broken' } })
      expect([status, body]).toEqual([500, { message: 'Server Error' }])
      expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(count)
    }
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
  })

  test('is not an ApiError of a hook', async () => {
    const log = collectedLog()
    const hooks = {
      ticketCreated: () => Promise.reject(new ApiError('conflict', 'The workspace takes no more tickets today.')),
    }
    const server = await start({ log, hooks })
    const { workspace, member } = await seedWorkspace(server)
    const ticket = { title: 'Broken', created_by: member.id }
    const creating = server.admin.tickets.create({ workspace: workspace.id }, ticket)
    await expect(creating).rejects.toMatchObject({ name: 'ConflictError', code: 'conflict' })
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

onEveryStore(
  'a database that fails',
  (_start, store) => {
    test('gives 500 on reads and writes without SQL, and other requests succeed', async () => {
      const log = collectedLog()
      const { server, tables } = await startWithTables(store, { log })
      const { workspace, token } = await seedWorkspace(server)
      await server.admin.rules.create(
        { workspace: workspace.id },
        { name: 'Tag', trigger: 'ticket_created', conditions: [], actions: [{ type: 'add_tag', tag: 'new' }] },
      )
      await tables.rows('drop table deals')
      await tables.rows('drop table automation_runs')
      const at = (path: string) => `/api/v1/workspaces/${workspace.id}/${path}`
      const answers = [
        await call(server, { path: at('crm/deals'), token }),
        await call(server, { method: 'POST', path: at('tickets'), token, body: { title: 'Call' } }),
      ]
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [500, { message: 'Server Error' }],
        [500, { message: 'Server Error' }],
      ])
      expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
      expect(await queued(server, workspace)).toEqual([])
      expect((await call(server, { method: 'POST', path: at('tasks'), token, body: { title: 'Call' } })).status).toBe(
        201,
      )
      expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(2)
    })
  },
  onDisk,
)
