import { expect, it } from 'vitest'
import { createTestServer, type SeedData } from '../../packages/server/src/testing/entries/testing.ts'
import { countExpressionCalls } from './count-expression-calls.ts'

const seedOf = (count: number, task: (index: number) => object): SeedData => ({
  workspaces: [
    { name: 'Acme', tasks: Array.from({ length: count }, (_, index) => ({ title: 'A task', ...task(index) })) },
  ],
})

async function apply(seed: SeedData): Promise<void> {
  await using server = await createTestServer({ seed })
  expect(server.seeded.workspaces).toHaveLength(1)
}

/** The CPU time of this process, because wall time includes other processes. */
async function cpuMsOf(seed: SeedData): Promise<number> {
  const before = process.cpuUsage()
  await apply(seed)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

it('reads each time of a line of subtasks once', async () => {
  const line = (count: number) =>
    seedOf(count, (index) => ({ key: `k${index}`, parent: index === 0 ? undefined : `k${index - 1}` }))
  await apply(line(1))
  const [half, whole] = [
    await countExpressionCalls(() => apply(line(200))),
    await countExpressionCalls(() => apply(line(400))),
  ]
  expect(whole / half).toBeLessThan(2.1)
})

it('creates records with keys about as fast as those without', async () => {
  const count = 5_000
  await apply(seedOf(100, () => ({})))
  const plainMs = await cpuMsOf(seedOf(count, () => ({})))
  expect((await cpuMsOf(seedOf(count, (index) => ({ key: `k${index}` })))) / plainMs).toBeLessThan(4)
})
