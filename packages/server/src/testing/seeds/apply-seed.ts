import type { App } from '../../context.ts'
import { createAdmin } from '../../http/in-process-admin.ts'
import { listWorkspaces } from '../../modules/workspaces/service.ts'
import { inTransaction } from '../../store/transaction.ts'
import { createFactories } from '../factories/factories.ts'
import demo from './scenarios/demo.json' with { type: 'json' }
import { type Seed, SeedError } from './seed.ts'
import { createSeedCalls } from './seed-calls.ts'
import { createSeedRecorder, noSeed, type Seeded, type SeedRecorder } from './seed-state.ts'

/** Seeds a database without workspaces. A persistent one is unchanged on later starts. */
export async function applySeed(app: App, seed: Seed): Promise<Seeded> {
  if (seed === 'empty' || (await listWorkspaces(app)).length > 0) return noSeed
  let seeded = noSeed
  await alone(app, async () => {
    // Another node may have applied its seed meanwhile.
    if ((await listWorkspaces(app)).length > 0) return
    // In one transaction, so that after a killed start the next one applies the whole seed.
    seeded = await inTransaction(app, async (app) => {
      if (seed === 'company') return (await import('./company/seed-company.ts')).seedCompany(app)
      const recorder = createSeedRecorder()
      await applyInto(app, seed, recorder)
      return recorder.seeded()
    })
  })
  return seeded
}

/** An arbitrary key of a PostgreSQL advisory lock, which ends with its connection. */
const seedLock = 7_236_414

/** Runs `work` in one process at a time. SQLite has only one. */
const alone = ({ store: { withSession } }: App, work: () => Promise<void>): Promise<void> =>
  withSession === undefined
    ? work()
    : withSession(async (run) => {
        await run(`select pg_advisory_lock(${seedLock})`)
        await work()
      })

async function applyInto(app: App, seed: Exclude<Seed, 'empty' | 'company'>, recorder: SeedRecorder): Promise<void> {
  if (seed === 'large') return (await import('./scenarios/large.ts')).applyLarge(app, recorder)
  if (typeof seed === 'function') return applySeedFunction(app, seed, recorder)
  const { fromObject, readSource } = await import('./source.ts')
  const { applySeedData } = await import('./apply-seed-data.ts')
  if (seed === 'demo') return applySeedData(app, fromObject(demo), { recorder })
  if (seed === 'edge') {
    const { edgeAt } = await import('./scenarios/edge.ts')
    return applySeedData(app, fromObject(edgeAt(app.clock.now())), { recorder })
  }
  if (typeof seed !== 'string') return applySeedData(app, fromObject(seed), { recorder })
  const source = await readSource(seed)
  // A module may export a function or data.
  if (typeof source.data === 'function') return applyInto(app, source.data as SeedFunction, recorder)
  return applySeedData(app, source, { recorder })
}

type SeedFunction = Extract<Seed, (...parameters: never) => unknown>

/** Records created through `admin` are found in the database. Their secrets are known only to the function. */
async function applySeedFunction(app: App, seed: SeedFunction, recorder: SeedRecorder): Promise<void> {
  const admin = createAdmin(app)
  const calls = createSeedCalls()
  const { create, createMany } = createFactories(app, recorder.record)
  const factories = { create: calls.guard(create, 'create'), createMany: calls.guard(createMany, 'createMany') }
  const returned = await calls.run(() => seed(calls.guard(admin, 'admin'), factories))
  const recorded = new Set(recorder.seeded().workspaces.map(({ id }) => id))
  for (const workspace of (await admin.workspaces.list()).data.toReversed()) {
    if (recorded.has(workspace.id)) continue
    recorder.record({ kind: 'workspace', workspaceId: workspace.id, record: workspace })
    for (const member of (await admin.members.list({ workspace: workspace.id })).data.toReversed()) {
      recorder.record({ kind: 'member', workspaceId: workspace.id, record: member })
    }
  }
  if (isSeedData(returned, new Set(recorder.seeded().workspaces.map(({ id }) => id)))) throw returnedData()
}

/** Whether it describes a workspace that the function did not create. A function may return records that it created. */
function isSeedData(returned: unknown, created: ReadonlySet<unknown>): boolean {
  const { workspaces } = Object(returned)
  return Array.isArray(workspaces) && workspaces.some((workspace) => !created.has(Object(workspace).id))
}

const returnedData = () =>
  new SeedError([
    'The seed function returned data, which nothing reads. A function creates records with its arguments, `admin` and `{ create, createMany }`. To seed data, pass the object itself.',
  ])
