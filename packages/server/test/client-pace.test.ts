import { type ClientOptions, createClient } from '@service/client'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer } from '../src/testing/entries/testing.ts'

/** A client of the test double at 120 requests per minute. The clock of both advances only when the client waits. */
async function start(options: ClientOptions = {}) {
  const server = await createTestServer({ seed: 'demo', clock: '2026-11-20T09:00:00Z' })
  onTestFinished(() => server.close())
  const { token = '', workspace = 0 } = server.seeded
  const seconds = () => (server.clock.now().getTime() - Date.UTC(2026, 10, 20, 9)) / 1000
  const statuses: number[] = []
  const sentAt: number[] = []
  const client = createClient({
    baseUrl: 'http://localhost/api/v1',
    token,
    workspace,
    pace: 'auto',
    deadlineMs: 3_600_000,
    fetch: async (url, init) => {
      sentAt.push(seconds())
      const response = await server.fetch(url, init)
      statuses.push(response.status)
      return response
    },
    clock: () => server.clock.now().getTime(),
    sleep: async (ms) => void (await server.clock.advance(Math.ceil(ms))),
    ...options,
  })
  return { server, client, statuses, sentAt, seconds }
}

test('a paced client sends 400 calls at 120 per minute without a 429', async () => {
  const { client, statuses, sentAt, seconds } = await start()
  const copy = client.withOptions({ timeoutMs: 20_000 })
  await Promise.all(Array.from({ length: 400 }, (_, index) => (index % 2 ? client : copy).projects.list()))
  expect(statuses).toEqual(Array.from({ length: 400 }, () => 200))
  expect(seconds()).toBeLessThanOrEqual(240)
  // The first half of each minute's calls goes at once, the second half is spread.
  expect(sentAt.filter((at) => at === 0)).toHaveLength(60)
  expect(sentAt.filter((at) => at > 0 && at < 60).length).toBeGreaterThan(50)
})

test('without pacing, the same calls meet 429', async () => {
  const { client, statuses } = await start({ pace: 'off', maxRetries: 0 })
  await Promise.all(Array.from({ length: 400 }, () => client.projects.list().safe()))
  expect(statuses.filter((status) => status === 429)).toHaveLength(280)
})

test('a paced client waits for calls of others with the same token', async () => {
  const { server, client, statuses } = await start()
  const { token = '', workspace = 0 } = server.seeded
  const path = `http://localhost/api/v1/workspaces/${workspace}/projects`
  const headers = { authorization: `Bearer ${token}` }
  for (let count = 0; count < 119; count += 1) await server.fetch(path, { headers })
  for (let count = 0; count < 5; count += 1) await client.projects.list()
  expect(statuses).toEqual([200, 200, 200, 200, 200])
})

test('a failed or aborted call does not block the others', async () => {
  const { client, statuses } = await start({ maxRetries: 0 })
  const controller = new AbortController()
  const calls = Array.from({ length: 200 }, (_, index) =>
    client.projects.list(index % 3 === 1 ? { signal: controller.signal } : {}).safe(),
  )
  controller.abort()
  const results = await Promise.all(calls)
  expect(results.filter(({ ok }) => ok)).toHaveLength(133)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('a platform without rate limit headers is not paced', async () => {
  let open = 0
  let most = 0
  const { client } = await start({
    fetch: async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise(setImmediate)
      open -= 1
      return Response.json({ data: [] })
    },
  })
  await Promise.all(Array.from({ length: 20 }, () => client.projects.list()))
  expect(most).toBe(19)
})

test('unreadable and repeated rate limit headers do not block calls', async () => {
  const { client } = await start({
    fetch: async () =>
      Response.json({ data: [] }, { headers: { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '9, 9' } }),
  })
  await Promise.all(Array.from({ length: 5 }, () => client.projects.list()))
})

test('a call that ends at the moment its turn begins does not block the next one', async () => {
  const { client } = await start({ maxRetries: 0 })
  // The first call is aborted one microtask later each time, so that one of them ends exactly then.
  for (let ticks = 0; ticks < 60; ticks += 1) {
    const controller = new AbortController()
    const aborted = client.withOptions({}).projects.list({ signal: controller.signal }).safe()
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve()
    controller.abort()
    await aborted
  }
  expect(await client.projects.list().safe()).toMatchObject({ ok: true })
})
