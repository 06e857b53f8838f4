import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { collectedLog } from './collected-log.ts'
import { onEveryStore } from './on-every-store.ts'
import { call, clientOf, queued, seedWorkspace } from './workspace.ts'

onEveryStore('inside the transaction of a ticket', (start, store) => {
  test('changes by a hook through either admin client commit with the ticket', async () => {
    const seen: string[][] = []
    const server: Server = await start({
      hooks: {
        async ticketCreated(ticket, admin) {
          const workspace_id = workspace.id
          await admin.tasks.create({ workspace: workspace_id }, { title: 'By the inner', ticket_id: ticket.id })
          await server.admin.tasks.create({ workspace: workspace_id }, { title: 'By the outer', ticket_id: ticket.id })
          const read = await Promise.all([
            admin.tasks.list({ workspace: workspace_id }).then(({ data }) => data),
            server.admin.tasks.list({ workspace: workspace_id }).then(({ data }) => data),
          ])
          seen.push(...read.map((tasks) => tasks.map(({ title }) => title)))
        },
      },
    })
    const { workspace, token } = await seedWorkspace(server)
    await clientOf(server, { workspace, token }).tickets.create({ title: 'Broken' })
    expect(seen).toEqual([
      ['By the outer', 'By the inner'],
      ['By the outer', 'By the inner'],
    ])
    const events = await queued(server, workspace)
    expect(events.map((event) => (event as { event: string }).event).sort()).toEqual([
      'task.created',
      'task.created',
      'ticket.created',
    ])
  })

  test('changes by a hook roll back with the ticket, and so does a request that it sends through fetch', async () => {
    const server: Server = await start({
      log: collectedLog(),
      hooks: {
        async ticketCreated() {
          await clientOf(server, seeded).tasks.create({ title: 'Through fetch' })
          await server.admin.projects.create({ workspace: seeded.workspace.id }, { name: 'By the outer' })
          throw new Error('planted')
        },
      },
    })
    const seeded = await seedWorkspace(server)
    await expect(clientOf(server, seeded).tickets.create({ title: 'Broken' })).rejects.toMatchObject({ status: 500 })
    expect((await server.admin.tasks.list({ workspace: seeded.workspace.id })).data).toEqual([])
    expect((await server.admin.projects.list({ workspace: seeded.workspace.id })).data).toEqual([])
    expect(await queued(server, seeded.workspace)).toEqual([])
  })

  test('code that continues after the transaction reads and writes outside it', async () => {
    const committed = Promise.withResolvers<void>()
    let lingering: Promise<unknown> = Promise.resolve()
    const server: Server = await start({
      hooks: {
        ticketCreated(_ticket, admin) {
          lingering = committed.promise.then(() =>
            admin.tasks.create({ workspace: workspace.id }, { title: 'Afterwards' }),
          )
        },
      },
    })
    const { workspace, token } = await seedWorkspace(server)
    await clientOf(server, { workspace, token }).tickets.create({ title: 'Broken' })
    committed.resolve()
    await lingering
    expect((await server.admin.tasks.list({ workspace: workspace.id })).data).toHaveLength(1)
  })

  test('nothing is visible outside before it commits', async () => {
    const entered = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const server: Server = await start({
      hooks: {
        async ticketCreated() {
          entered.resolve()
          await held.promise
        },
      },
    })
    const seeded = await seedWorkspace(server)
    const { tickets } = clientOf(server, seeded)
    const creating = tickets.create({ title: 'Broken' })
    await entered.promise
    const listing = tickets.list()
    // In memory there is one connection, so the reader waits. Elsewhere it reads the state before.
    if (store !== 'memory') expect(await listing).toEqual([])
    held.resolve()
    await creating
    const seen = await listing
    expect(seen).toHaveLength(store === 'memory' ? 1 : 0)
    expect(await tickets.list()).toHaveLength(1)
  })

  test('the hook of one server may use another server', async () => {
    const other = await start()
    const there = await seedWorkspace(other)
    const server: Server = await start({
      log: collectedLog(),
      hooks: {
        async ticketCreated({ title }) {
          await clientOf(other, there).tickets.create({ title })
          throw new Error('planted')
        },
      },
    })
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    expect((await call(server, { method: 'POST', path, token, body: { title: 'Twice' } })).status).toBe(500)
    expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
    expect((await other.admin.tickets.list({ workspace: there.workspace.id })).data.map(({ title }) => title)).toEqual([
      'Twice',
    ])
  })

  test('a slow hook makes other writers wait but not fail', async () => {
    const server = await start({
      hooks: {
        async ticketCreated() {
          for (let turn = 0; turn < 20; turn += 1) await setImmediate()
        },
      },
    })
    const seeded = await seedWorkspace(server)
    const { tickets } = clientOf(server, seeded)
    const created = await Promise.all(Array.from({ length: 8 }, (_, index) => tickets.create({ title: `No ${index}` })))
    expect(created.map(({ ticket_number }) => ticket_number).sort()).toEqual(
      Array.from({ length: 8 }, (_, index) => `TKT-0000${index + 1}`),
    )
  })
})
