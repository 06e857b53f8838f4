import { setImmediate } from 'node:timers/promises'
import { createAdminClient, type ListCall, ServiceError } from '@service/client/admin'
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { onEveryStore } from './on-every-store.ts'

const adminToken = 'an-admin-token-of-enough-characters'

onEveryStore('a list of administration', (start) => {
  /** A workspace with seven tickets, and a client that counts its requests. */
  async function startWithTickets() {
    const server = await start({ adminToken })
    const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
    for (const title of ['A', 'B', 'C', 'D', 'E', 'F', 'G']) await server.admin.tickets.create({ workspace }, { title })
    const queries: string[] = []
    let failAt = 0
    const admin = createAdminClient({
      baseUrl: 'http://localhost/admin/v1',
      token: adminToken,
      maxRetries: 0,
      fetch: (url, init) => {
        queries.push(new URL(url).search)
        return queries.length === failAt ? Response.json({}, { status: 500 }) : server.fetch(url, init)
      },
    })
    const failRequest = (number: number) => {
      failAt = number
    }
    return { admin, at: { workspace }, queries, failRequest }
  }

  test('is one page when awaited, and all pages when iterated', async () => {
    const { admin, at, queries } = await startWithTickets()
    const list = admin.tickets.list(at, { limit: 3, status: 'open' })
    expectTypeOf(list).toExtend<ListCall<{ data: { title: string }[] }>>()
    expect((await list).data).toHaveLength(3)
    expect(queries).toHaveLength(1)
    const titles: string[] = []
    for await (const { title } of list) titles.push(title)
    expect(titles).toEqual(['G', 'F', 'E', 'D', 'C', 'B', 'A'])
    expect(queries).toEqual([
      '?limit=3&status=open',
      expect.stringMatching(/^\?limit=3&status=open&before=\d+$/),
      expect.stringMatching(/^\?limit=3&status=open&before=\d+$/),
    ])
  })

  test('is read page by page', async () => {
    const { admin, at, queries } = await startWithTickets()
    const sizes: number[] = []
    for await (const { data } of admin.tickets.list(at, { limit: 3 }).pages()) {
      sizes.push(data.length)
      if (sizes.length === 2) break
    }
    expect(sizes).toEqual([3, 3])
    expect(queries).toHaveLength(2)
  })

  test('is iterated in its order when it is sorted', async () => {
    const { admin, at } = await startWithTickets()
    const titles: string[] = []
    for await (const { title } of admin.tickets.list(at, { limit: 2, sort: 'priority' })) titles.push(title)
    expect(titles.toSorted()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G'])
  })

  test('reads no further page after a break, nor beyond a limit', async () => {
    const { admin, at, queries } = await startWithTickets()
    for await (const { title } of admin.tickets.list(at, { limit: 3 })) if (title === 'E') break
    expect(queries).toHaveLength(1)
    const gathered = await admin.tickets.list(at, { limit: 3 }).all({ limit: 4 })
    expect(gathered.map(({ title }) => title)).toEqual(['G', 'F', 'E', 'D'])
    expect(queries).toHaveLength(3)
    expect(await admin.tickets.list(at).all()).toHaveLength(7)
    await expect(admin.tickets.list(at).all({ limit: 0 })).rejects.toThrow('limit must be an integer')
  })

  test('leaves no unhandled rejection of its first page if its limit is refused', async () => {
    const { admin, at, failRequest } = await startWithTickets()
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    failRequest(1)
    await expect(admin.tickets.list(at).all({ limit: 0 })).rejects.toThrow('limit must be an integer')
    // Sent and answered after the first.
    await admin.tickets.list(at)
    await setImmediate()
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('throws the error of a later page, after the items of the earlier ones', async () => {
    const { admin, at, failRequest } = await startWithTickets()
    failRequest(2)
    const titles: string[] = []
    const iterate = async () => {
      for await (const { title } of admin.tickets.list(at, { limit: 3 })) titles.push(title)
    }
    await expect(iterate()).rejects.toThrow(ServiceError)
    expect(titles).toEqual(['G', 'F', 'E'])
  })
})
