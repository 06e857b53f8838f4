import { expect, inject, onTestFinished, test } from 'vitest'
import { microsPerMinute, microsPerSecond } from '../src/core/clock.ts'
import { createServer, type ServerOptions } from '../src/index.ts'
import { manualClock } from './manual-clock.ts'
import { askAdmin } from './people.ts'
import { createDatabase } from './postgres-databases.ts'
import { openTables } from './tables.ts'
import { call, seedWorkspace } from './workspace.ts'

/** Nodes on one database. */
async function startNodes(...options: ServerOptions[]) {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const nodes = await Promise.all(options.map((own) => createServer({ databaseUrl: url, ...own })))
  const tables = await openTables({ databaseUrl: url })
  onTestFinished(async () => {
    await tables.close()
    for (const node of nodes) await node.close()
    await drop()
  })
  const [first, second] = nodes
  if (first === undefined || second === undefined) throw new TypeError('Two nodes are asked for.')
  return { first, second, nodes, tables }
}

test('nodes on one database share the count of a token', async () => {
  const { first, second } = await startNodes({ rateLimit: 4 }, { rateLimit: 4 })
  const { workspace, token } = await seedWorkspace(first)
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  const answers: Awaited<ReturnType<typeof call>>[] = []
  for (const node of [first, second, second, first, second, first]) answers.push(await call(node, { path, token }))
  expect(answers.map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining')])).toEqual([
    [200, '3'],
    [200, '2'],
    [200, '1'],
    [200, '0'],
    [429, '0'],
    [429, '0'],
  ])
})

test('nodes share the count per address of requests without a valid token, apart from token counts', async () => {
  const { first, second } = await startNodes({ rateLimit: 3 }, { rateLimit: 3 })
  const { workspace, token } = await seedWorkspace(first)
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  const statuses: number[] = []
  for (const [node, bad] of [
    [first, {}],
    [second, { token: `${token}x` }],
    [second, {}],
    [first, {}],
    [first, {}],
    [second, {}],
  ] as const)
    statuses.push((await call(node, { path, ...bad })).status)
  expect(statuses).toEqual([401, 401, 401, 429, 429, 429])
  expect((await call(second, { path, token })).status).toBe(200)
})

test('60 concurrent requests to two nodes are counted exactly', async () => {
  const { first, second } = await startNodes({ rateLimit: 20 }, { rateLimit: 20 })
  const { workspace, token } = await seedWorkspace(first)
  const path = `/api/v1/workspaces/${workspace.id}/tickets`
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => call(index % 2 === 0 ? first : second, { path, token })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40)
})

test.each([2, 4])(
  '%i nodes count failed sign-ins together: each lets at most one more try through than one node would',
  async (count) => {
    const { nodes } = await startNodes(...Array.from({ length: count }, () => ({})))
    const body = { email: 'unknown@people.example', password: 'a guess' }
    const statuses: number[] = []
    for (let guess = 0; guess < 10 + 2 * count; guess += 1) {
      const node = nodes[guess % count] ?? nodes[0]
      if (node !== undefined)
        statuses.push((await call(node, { method: 'POST', path: '/admin/v1/sessions', body })).status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.slice(10 + count)).toEqual(Array(count).fill(429))
  },
)

test('counting does not wait for the disk, because its table is unlogged', async () => {
  const { first, second, tables } = await startNodes({ rateLimit: 50 }, { rateLimit: 50 })
  const { workspace, token } = await seedWorkspace(first)
  await call(second, { path: `/api/v1/workspaces/${workspace.id}/tickets`, token })
  const kind = "select relpersistence as kind from pg_class where relname = 'rate_limit_windows'"
  expect(await tables.rows(kind)).toEqual([{ kind: 'u' }])
  expect(await tables.rows('select key, hits from rate_limit_windows')).toEqual([{ key: 'token:1', hits: 1 }])
})

test('an expired window is restarted, and expired windows are deleted', async () => {
  const clock = manualClock()
  const { first, second, tables } = await startNodes({ rateLimit: 2, clock }, { rateLimit: 2, clock })
  const { workspace, token } = await seedWorkspace(first)
  const ask = (node = first) => call(node, { path: `/api/v1/workspaces/${workspace.id}/tickets`, token })
  const count = async () => (await tables.rows('select key from rate_limit_windows')).length
  await ask()
  await ask(second)
  expect((await ask()).headers.get('retry-after')).toBe('60')
  clock.advance(microsPerMinute)
  expect((await ask()).status).toBe(200)
  expect(await count()).toBe(1)
  await first.deliveries.runDue()
  clock.advance(3 * microsPerMinute + microsPerSecond)
  await first.deliveries.runDue()
  expect(await count()).toBe(0)
})

test('a failed sign-in counts once while its count is being shared', async () => {
  const { first, tables } = await startNodes({}, {})
  const answered: number[] = []
  const fail = async () => {
    const body = { email: 'unknown@people.example', password: 'wrong' }
    answered.push((await askAdmin(first, undefined, ['POST', '/sessions', body])).status)
  }
  const waiting = async () => {
    // Otherwise a transaction sees only the connections from its first look.
    await tables.rows('select pg_stat_clear_snapshot()')
    return (await tables.rows(waitingForLocks))[0]?.['waiting'] as number
  }
  for (let failure = 0; failure < 6; failure += 1) await fail()
  await tables.rows('begin')
  await tables.rows('lock table rate_limit_windows in share mode')
  const failures = [fail(), fail()]
  await expect.poll(waiting).toBe(2)
  failures.push(fail())
  await expect.poll(async () => (await waiting()) + answered.length).toBe(9)
  await tables.rows('rollback')
  await Promise.all(failures)
  expect(answered).toEqual(Array.from({ length: 9 }, () => 401))
})

const waitingForLocks = `select count(*) as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
