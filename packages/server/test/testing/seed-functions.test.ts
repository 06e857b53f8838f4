import type { Admin } from '@service/client/admin'
import { expect, it, onTestFinished } from 'vitest'
import { createTestServer, type Factories, type Seed, SeedError } from '../../src/testing/entries/testing.ts'
import { freshDirectory } from '../fresh-directory.ts'

const started = async (seed: Seed) => {
  const server = await createTestServer({ seed })
  onTestFinished(() => server.close())
  return server
}

const problemsOf = async (seed: Seed): Promise<readonly string[]> => {
  const refusal = await started(seed).catch((thrown: unknown) => thrown)
  expect(refusal).toBeInstanceOf(SeedError)
  return (refusal as SeedError).problems // just checked
}

const notAwaited = (call: string) =>
  `The seed function ended before ${call} had finished. Await each creation in the seed function. \`forEach\` does not wait for async functions.`

const hasEnded = new TypeError('The seed has ended. Await each creation in the seed function.')

it('a seed function that does not await its creations is rejected with their names', async () => {
  const refusals: unknown[] = []
  const forEach: Seed = (_, { create }) => {
    for (const name of ['A', 'B']) {
      const work = async () => {
        const workspace = await create.workspace({ name })
        await create.ticket({ workspace })
      }
      work().catch((refusal: unknown) => refusals.push(refusal))
    }
  }
  expect(await problemsOf(forEach)).toEqual([notAwaited('create.workspace')])
  expect(refusals).toEqual([hasEnded, hasEnded])
  expect(await problemsOf((_, { createMany }) => void createMany.ticket(3))).toEqual([notAwaited('createMany.ticket')])
  expect(await problemsOf((admin) => void admin.workspaces.create({ name: 'A' }))).toEqual([
    notAwaited('admin.workspaces.create'),
  ])
  expect(await problemsOf((_, { create }) => ['A', 'B'].map((name) => create.workspace({ name })))).toEqual([
    notAwaited('create.workspace'),
  ])
})

it('a creation that failed without being awaited is reported', async () => {
  const [problem] = await problemsOf(async (_, { create }) => {
    create.ticket({ title: '' })
    await create.ticket()
  })
  expect(problem).toContain('create.ticket failed and was not awaited: ')
  await started(async (_, { create }) => {
    await create.ticket({ title: '' }).catch(() => undefined)
  })
})

it('a failed seed function creates nothing, and its other creations end with it', async () => {
  const data = await freshDirectory()
  const seed: Seed = (_, { create }) =>
    Promise.all([create.ticket({ title: '' }), create.ticket(), create.workspace({ name: 'B' })])
  await expect(createTestServer({ data, seed })).rejects.toMatchObject({ code: 'validation' })
  await using server = await createTestServer({ data })
  expect((await server.admin.workspaces.list()).data).toEqual([])
})

it('the arguments of a seed function reject further calls after it has ended', async () => {
  const kept: { admin?: Admin; factories?: Factories } = {}
  const server = await started(async (admin, factories) => {
    Object.assign(kept, { admin, factories })
    await factories.create.workspace()
  })
  await expect(kept.factories?.create.ticket()).rejects.toEqual(hasEnded)
  await expect(kept.factories?.createMany.ticket(2)).rejects.toEqual(hasEnded)
  await expect(kept.admin?.workspaces.create({ name: 'B' })).rejects.toEqual(hasEnded)
  expect((await server.admin.workspaces.list()).data).toHaveLength(1)
})

it('a seed function that returns seed data is rejected', async () => {
  const says = 'To seed data, pass the object itself.'
  expect((await problemsOf(() => ({ workspaces: [{ name: 'A' }] })))[0]).toContain(says)
  expect((await problemsOf(async () => ({ workspaces: [{}] })))[0]).toContain(says)
  const mixed: Seed = async (_, { create }) => {
    await create.workspace({ name: 'A' })
    return { workspaces: [{ name: 'B' }] }
  }
  expect((await problemsOf(mixed))[0]).toContain(says)
})

const returning: readonly (readonly [string, Seed])[] = [
  ['a record', (_, { create }) => create.workspace({ name: 'A' })],
  ['a record of `admin`', (admin) => admin.workspaces.create({ name: 'A' })],
  ['awaited records', (_, { create }) => Promise.all([create.workspace({ name: 'A' })])],
  [
    'records in an object',
    async (admin, { create }) => {
      await create.workspace({ name: 'A' })
      return { workspaces: (await admin.workspaces.list()).data }
    },
  ],
]

it.each(returning)('a seed function may return %s', async (_, seed) => {
  const server = await started(seed)
  expect(server.seeded.workspaces).toMatchObject([{ name: 'A' }])
})
