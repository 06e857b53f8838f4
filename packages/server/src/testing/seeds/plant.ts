import { createAdmin } from '../../admin/admin.ts'
import type { App } from '../../context.ts'
import { listWorkspaces } from '../../modules/workspaces/service.ts'
import { createFactories } from '../factories/factories.ts'
import type { Seed } from './seed.ts'
import { type Notebook, nothingSeeded, openNotebook, type Seeded } from './seeded.ts'

/** Fills a database that has no workspace yet; one that is kept on a disk is left as it is at the second start. */
export async function plant(app: App, seed: Seed): Promise<Seeded> {
  if (seed === 'empty' || (await listWorkspaces(app)).length > 0) return nothingSeeded
  if (seed === 'demo') return (await import('./scenarios/demo.ts')).plantDemo(app)
  const notebook = openNotebook()
  await plantInto(app, seed, notebook)
  return notebook.seeded()
}

async function plantInto(app: App, seed: Exclude<Seed, 'empty' | 'demo'>, notebook: Notebook): Promise<void> {
  if (seed === 'large') return (await import('./scenarios/large.ts')).plantLarge(app, notebook)
  if (typeof seed === 'function') return plantByHand(app, seed, notebook)
  const { fromObject, readSource } = await import('./source.ts')
  const { plantData } = await import('./plant-data.ts')
  if (seed === 'edge') return plantData(app, fromObject((await import('./scenarios/edge.ts')).edge), notebook)
  if (typeof seed !== 'string') return plantData(app, fromObject(seed), notebook)
  const source = await readSource(seed)
  // A module may export a function as well as data.
  if (typeof source.data === 'function') return plantInto(app, source.data as SeedFunction, notebook)
  return plantData(app, source, notebook)
}

type SeedFunction = Extract<Seed, (...given: never) => unknown>

/** What was made through `admin` is seen in the database only; its secrets are known to whoever made it. */
async function plantByHand(app: App, seed: SeedFunction, notebook: Notebook): Promise<void> {
  const admin = createAdmin(app)
  await seed(admin, createFactories(app, notebook.note))
  const noted = new Set(notebook.seeded().workspaces.map(({ id }) => id))
  for (const workspace of await admin.workspaces.list()) {
    if (noted.has(workspace.id)) continue
    notebook.note({ kind: 'workspace', workspaceId: workspace.id, thing: workspace })
    for (const member of await admin.members.list(workspace.id)) {
      notebook.note({ kind: 'member', workspaceId: workspace.id, thing: member })
    }
  }
}
