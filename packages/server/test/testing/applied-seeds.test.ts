import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { dump } from './dump.ts'

async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await createTestServer({ clock: '2026-05-04T09:00:00Z', ...options })
  onTestFinished(() => server.close())
  return server
}

/** What a test sees of a server, and the ids and secrets that it draws next. */
async function facts(server: TestServer) {
  const { seeded } = server
  const seededState = await stateOf(server)
  const ticket = await server.create.ticket({ title: 'Written after the seed' })
  const { token } = await server.tokens.issue({ workspace: seeded.workspace ?? 0 })
  return { seeded, seededState, ticket, token }
}

/** Without the distance of the clock to that of the machine. */
async function stateOf(server: TestServer) {
  const { head, tables } = await dump(server)
  return { head: { ...Object(head), clock: undefined }, now: server.clock.now(), tables }
}

test.for(['demo', 'company', 'large', 'edge'])(
  'a second server with the seed %s is like the first one',
  async (seed) => {
    const first = await facts(await start({ seed }))
    const second = await start({ seed })
    expect(await facts(second)).toEqual(first)
    await second.reset()
    expect(await facts(second)).toEqual(first)
  },
)

test('servers with the same seed share no changes', async () => {
  const first = await start({ seed: 'demo', random: 'shared' })
  const second = await start({ seed: 'demo', random: 'shared' })
  const { workspace = 0, token = '', workspaces } = second.seeded
  for (const server of [first, second]) Object.assign(server.seeded.workspaces[0] ?? {}, { name: 'Changed by a test' })
  await first.create.ticket({ title: 'Only in the first' })
  const third = await start({ seed: 'demo', random: 'shared' })
  expect(third.seeded.workspaces[0]?.name).not.toBe('Changed by a test')
  expect(workspaces).toHaveLength(1)
  for (const server of [second, third]) {
    const answer = await server.fetch(`/api/v1/workspaces/${workspace}/tickets`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('Only in the first')])
  }
})

test.for<[string, TestServerOptions, TestServerOptions]>([
  ['time', { clock: '2026-05-04T10:00:00Z' }, { clock: '2026-05-04T11:00:00Z' }],
  ['randomness', { random: 1 }, { random: 2 }],
  ['encryption key', { encryptionKey: 'a'.repeat(43) }, { encryptionKey: 'b'.repeat(43) }],
])('servers with another %s have another state', async ([, ...both]) => {
  const [first, second] = await Promise.all(
    both.map(async (options) => dump(await start({ seed: 'demo', ...options }))),
  )
  expect(second?.tables).not.toEqual(first?.tables)
})

test('servers with real randomness share no token', async () => {
  const options = { seed: 'demo', random: 'system' }
  expect((await start(options)).seeded.token).not.toBe((await start(options)).seeded.token)
})

test('hooks run for the seed of every server', async () => {
  const titles: string[][] = [[], []]
  for (const seen of titles)
    await start({ seed: 'demo', hooks: { ticketCreated: ({ title }) => void seen.push(title) } })
  expect(titles[1]).toEqual(titles[0])
  expect(titles[0]).not.toEqual([])
})

test('a second server with a large seed costs a fraction of the first one', async () => {
  const costOf = async () => {
    const before = process.threadCpuUsage()
    await start({ seed: 'large', random: 'measured' })
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
  const first = await costOf()
  // Copying costs about 0.005, and applying the seed again 0.5 to 1.
  expect((await costOf()) / first).toBeLessThan(0.25)
})
