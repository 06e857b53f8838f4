import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it } from 'vitest'
import type { ServerHooks } from '../../src/index.ts'
import { createTestServer, type TestServer } from '../../src/testing/entries/testing.ts'
import { onEveryTestStore, type StoreName } from '../on-every-store.ts'

type Ticket = Parameters<NonNullable<ServerHooks['ticketCreated']>>[0]

/** Calls a function outside of the caller's transaction. */
const outside = AsyncLocalStorage.snapshot()

const titles = ['x', 'y', 'z']

const databases: readonly StoreName[] = ['memory', 'postgres']

onEveryTestStore(
  'records that are created in parallel',
  (start) => {
    it('share a workspace and a member that did not exist', async () => {
      const server = await start()
      await Promise.all(titles.map((title) => server.create.ticket({ title })))
      expect((await server.admin.workspaces.list()).data).toHaveLength(1)
      expect((await server.admin.members.list({ workspace: 1 })).data).toHaveLength(1)
      expect((await server.admin.tickets.list({ workspace: 1 })).data.map(({ title }) => title)).toEqual([
        'z',
        'y',
        'x',
      ])
    })

    it('have the defaults of records that are created one after the other', async () => {
      const titlesOf = async (run: (server: TestServer) => Promise<unknown>) => {
        const server = await start()
        await run(server)
        return (await server.admin.tasks.list({ workspace: 1 })).data.map(({ title }) => title)
      }
      const inParallel = await titlesOf(({ create }) => Promise.all([create.task(), create.task(), create.task()]))
      const inOrder = await titlesOf(async ({ create }) => {
        for (const _ of titles) await create.task()
      })
      expect(inParallel).toEqual(inOrder)
      expect(new Set(inParallel).size).toBe(3)
    })

    it('share related records in a seed function', async () => {
      const server = await start({
        seed: async (_, { create }) => {
          const workspace = await create.workspace({ name: 'A' })
          await Promise.all(titles.map((title) => create.ticket({ workspace, title })))
        },
      })
      const [{ members } = { members: [] }] = server.seeded.workspaces
      expect(members).toHaveLength(1)
      expect((await server.admin.tickets.list({ workspace: 1 })).data.map(({ title }) => title)).toEqual([
        'z',
        'y',
        'x',
      ])
    })

    it('may be created by a hook of another one', async () => {
      const servers: TestServer[] = []
      const followUp = async ({ title }: Ticket) => {
        if (title === 'x') await servers[0]?.create.ticket({ title: 'y' })
      }
      const server = await start({ hooks: { ticketCreated: followUp } })
      servers.push(server)
      await Promise.all([server.create.ticket({ title: 'x' }), server.create.ticket({ title: 'z' })])
      expect((await server.admin.tickets.list({ workspace: 1 })).data.map(({ title }) => title)).toEqual([
        'z',
        'y',
        'x',
      ])
    })

    it('may be created by the hook of a request while others wait for its transaction', async () => {
      const servers: TestServer[] = []
      const waiting: Promise<unknown>[] = []
      const followUp = async ({ title }: Ticket) => {
        if (title !== 'x') return
        waiting.push(...['y', 'z'].map((title) => outside(async () => servers[0]?.create.ticket({ title }))))
        await servers[0]?.create.task({ title: 'Follow up' })
      }
      const server = await start({ hooks: { ticketCreated: followUp } })
      servers.push(server)
      const { id: workspace } = await server.create.workspace()
      await server.create.member()
      await server.admin.tickets.create({ workspace }, { title: 'x' })
      await Promise.all(waiting)
      expect((await server.admin.tickets.list({ workspace })).data.map(({ title }) => title)).toEqual(['z', 'y', 'x'])
      expect((await server.admin.tasks.list({ workspace })).data.map(({ title }) => title)).toEqual(['Follow up'])
    })

    it('share the workspace of events that are triggered in parallel', async () => {
      const server = await start()
      await Promise.all([server.trigger('ticket.created'), server.trigger('ticket.created')])
      expect((await server.admin.workspaces.list()).data).toHaveLength(1)
    })
  },
  databases,
)

it('a hook may create records after a reset', async () => {
  const servers: TestServer[] = []
  const waiting: Promise<unknown>[] = []
  const followUp = async ({ title }: Ticket) => {
    if (title !== 'x') return
    waiting.push(outside(async () => servers[0]?.create.ticket({ title: 'y' })))
    await servers[0]?.create.task()
  }
  await using server = await createTestServer({ hooks: { ticketCreated: followUp } })
  servers.push(server)
  await server.reset()
  const { id: workspace } = await server.create.workspace()
  await server.admin.tickets.create({ workspace }, { title: 'x' })
  await Promise.all(waiting)
  await server.create.ticket({ title: 'z' })
  expect((await server.admin.tickets.list({ workspace })).data.map(({ title }) => title)).toEqual(['z', 'y', 'x'])
})
