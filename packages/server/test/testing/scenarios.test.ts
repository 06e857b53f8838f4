import { afterEach, expect, it } from 'vitest'
import { createTestServer, type Seed, type TestServer } from '../../src/testing/entries/testing.ts'
import { checkingFetch } from '../checking-fetch.ts'

const open: TestServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function start(seed: Seed): Promise<TestServer> {
  const server = await createTestServer({ seed, clock: '2026-03-01T09:00:00Z' })
  open.push(server)
  return server
}

it('fills the large scenario with more records than any list shows', async () => {
  const server = await start('large')
  const events = await server.admin.events.list({ workspace: 1 }, { limit: 200 }).all()
  expect(events.filter(({ name }) => name === 'ticket.created')).toHaveLength(10_000)
  expect((await server.admin.tickets.list({ workspace: 1 })).data).toHaveLength(50)
})

it.each(['demo', 'company', 'large', 'edge'])(
  'returns every list of the scenario %s as the contract defines it',
  async (scenario) => {
    const server = await start(scenario)
    for (const { id, tokens } of server.seeded.workspaces) {
      const headers = { authorization: `Bearer ${tokens[0]?.token}`, accept: 'application/json' }
      for (const path of ['tickets', 'projects', 'hrms/employees', 'crm/deals']) {
        const answer = await checkingFetch(server)(`http://service.test/api/v1/workspaces/${id}/${path}`, { headers })
        expect(answer.status).toBe(200)
      }
    }
  },
)

const clocks = [
  '1970-01-01T00:00:00Z', // the earliest
  '2000-02-29T12:00:00Z',
  '2020-01-01T00:00:00Z',
  '2023-12-31T23:59:59.999999Z',
  '2024-02-29T00:00:00Z', // leap day
  '2024-02-29T23:59:59Z',
  '2025-03-01T00:00:00Z',
  '2026-01-01T00:00:00Z',
  '2026-03-29T01:00:00Z', // summer time begins in Berlin
  '2026-10-25T01:00:00Z', // and ends
  '2026-12-31T23:30:00Z', // already a new year in Berlin
  '2030-06-15T09:00:00Z',
  '2100-02-28T23:59:59Z', // not a leap year
  '2104-01-01T00:00:00Z', // eight years after the last leap day
  '2249-12-31T23:59:59Z', // the latest
]

it.each([
  ...['demo', 'company', 'edge'].flatMap((seed) => clocks.map((clock) => [seed, clock] as const)),
  ...['2020-01-01T00:00:00Z', '2024-02-29T00:00:00Z'].map((clock) => ['large', clock] as const),
])('starts the scenario %s at %s, with nothing created later', async (seed, clock) => {
  await using server = await createTestServer({ seed, clock })
  const { data } = await server.admin.tickets.list({ workspace: 1 })
  expect(data.length).toBeGreaterThan(0)
  expect(data.filter(({ created_at }) => Date.parse(created_at) > server.clock.now().getTime())).toEqual([])
})

it('includes values at their limits in the edge scenario', async () => {
  const server = await start('edge')
  const tickets = (await server.admin.tickets.list({ workspace: 1 })).data
  expect(tickets).toHaveLength(50)
  const titles = tickets.map(({ title }) => title)
  expect(titles).toEqual(expect.arrayContaining(['مرحبا بالعالم', 'x'.repeat(255), 'Nothing set', '=1+1']))
  expect(tickets.map(({ created_at }) => created_at)).toContain('2024-02-29T23:59:59.999999Z')
  expect(server.seeded.workspaces[1]).toMatchObject({ name: 'Nothing', projects: [] })
  expect((await server.admin.tickets.list({ workspace: 2 })).data).toEqual([])
})

it('creates the same demo as the command line', async () => {
  const { seeded } = await start('demo')
  expect(seeded.workspaces).toMatchObject([
    {
      name: 'Demo',
      members: { length: 4 },
      projects: { length: 2 },
      employees: { length: 4 },
      devices: [{ device_name: 'Front door' }],
    },
  ])
  expect(Object.keys(seeded.workspaces[0]?.secrets ?? {})).toEqual(
    expect.arrayContaining(['errors', 'attendance', 'website']),
  )
})
