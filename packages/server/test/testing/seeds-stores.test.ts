import { expect, inject, it, onTestFinished } from 'vitest'
import { createTestServer, type Seed, type SeedData } from '../../src/testing/entries/testing.ts'
import { collectedLog } from '../collected-log.ts'
import { onEveryTestStore } from '../on-every-store.ts'
import { createEmptyDatabase } from '../postgres-databases.ts'
import { onDisk } from '../tables.ts'
import { call } from '../workspace.ts'

const seed: SeedData = {
  workspaces: [
    {
      id: 7,
      members: [{ id: 70, name: 'Ann', email: 'ann@example.test' }],
      projects: [{ id: 5, name: 'Website' }, { name: 'Higher id' }],
      tickets: [
        { id: 12, title: 'Second', assigned_to: 'ann@example.test', created_at: '2026-01-02T00:00:00Z' },
        { id: 11, title: 'First', project: 'Website', created_at: '2026-01-01T00:00:00Z', tags: ['a'] },
      ],
      tokens: [{ user: 70, token: 'service_test_stores' }],
    },
    { id: 3, name: 'Lower id' },
  ],
}

onEveryTestStore('a seed', (start) => {
  it('is applied with its ids, and later records continue from them', async () => {
    const server = await start({ seed })
    expect((await server.admin.workspaces.list()).data.toReversed().map(({ id }) => id)).toEqual([3, 7])
    expect((await server.admin.tickets.list({ workspace: 7 })).data).toMatchObject([
      { id: 12, title: 'Second', assigned_to: 70 },
      { id: 11, title: 'First', created_by: 70 },
    ])
    expect((await server.admin.projects.list({ workspace: 7 })).data.map(({ id }) => id).toSorted()).toEqual([5, 6])
    expect(await server.create.task({ workspace: 7 })).toMatchObject({ id: 1, project_id: 5 })
    expect(await server.create.ticket({ workspace: 7 })).toMatchObject({ id: 13, ticket_number: 'TKT-00003' })
    const headers = { authorization: 'Bearer service_test_stores', accept: 'application/json' }
    const answer = await server.fetch('http://service.test/api/v1/workspaces/7/tickets', { headers })
    expect(answer.status).toBe(200)
  })

  it('creates nothing if its last record is invalid', async () => {
    const tokens = [{ user: 'unknown@example.test' }]
    await expect(start({ seed: { workspaces: [{ tickets: [{}], tokens }] } })).rejects.toThrow(
      "There is no member 'unknown",
    )
  })
})

const encryptionKey = 'a key that is only used in tests, of enough characters'

const seeds: readonly (readonly [string, Seed, number])[] = [
  ['data', seed, 2],
  ['a function', async (_, { create }) => void (await create.ticket({ title: 'A' })), 1],
  ['a scenario', 'company', 1],
]

it.each(seeds)('two nodes that seed an empty PostgreSQL with %s at once seed it once', async (_, seed, count) => {
  const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  const start = () => createTestServer({ databaseUrl: url, seed, encryptionKey, databaseWaitTimeoutMs: 20_000 })
  const servers = await Promise.all([start(), start()])
  onTestFinished(async () => {
    for (const server of servers) await server.close()
    await drop()
  })
  for (const { admin } of servers) expect((await admin.workspaces.list()).data).toHaveLength(count)
  expect(servers.map(({ seeded }) => seeded.workspaces.length).toSorted()).toEqual([0, count])
})

it('logs how far a large seed is', async () => {
  const log = collectedLog()
  const tickets = Array.from({ length: 2100 }, () => ({}))
  await using server = await createTestServer({ log, seed: { workspaces: [{ tickets }] } })
  expect((await server.admin.tickets.count({ workspace: 1 })).count).toBeGreaterThan(0)
  expect(log.lines.map(({ sentence }) => sentence).filter((sentence) => sentence.includes('of the seed'))).toEqual([
    'Created 1000 of 2101 records of the seed.',
    'Created 2000 of 2101 records of the seed.',
  ])
})

onEveryTestStore(
  'a server',
  (start) => {
    it('with a database rejects resets, snapshots, and forks, which change nothing', async () => {
      const server = await start({ seed, journal: true, contract: 'collect' })
      server.limits.set({ requestsPerMinute: 7 })
      const fault = server.faults.add({ match: { path: '/admin' }, respond: 503 })
      await call(server, {
        method: 'POST',
        path: '/api/v1/workspaces/7/tickets',
        token: 'service_test_stores',
        body: { title: 'Printer', priorty: 'high' },
      })
      const why = 'Reset, snapshots, and forks require an in-memory server: omit `data` and `databaseUrl`.'
      for (const attempt of [server.fork, server.reset, server.snapshot, () => server.states.save('x')]) {
        await expect(attempt()).rejects.toEqual(new TypeError(why))
      }
      expect(server.faults.list()).toEqual([fault])
      expect(server.journal.entries()).toHaveLength(1)
      expect(server.limits.requestsPerMinute).toBe(7)
      expect(server.verify).toThrow('priorty')
    })
  },
  onDisk,
)
