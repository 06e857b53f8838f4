import { ApiError } from '../../api-error.ts'
import type { App, TxApp } from '../../context.ts'
import { inTransaction } from '../../store/transaction.ts'
import { readFields } from '../factories/fields.ts'
import { namesOf } from '../factories/kinds.ts'
import { makeOne } from '../factories/make-one.ts'
import { aliasOf } from '../factories/recipe.ts'
import { recipes } from '../factories/recipes.ts'
import { refsOf } from '../factories/references.ts'
import { createWorkbench, idOf, nameKey, type Workbench } from '../factories/workbench.ts'
import { type Item, type Outline, outlineOf } from './outline.ts'
import { SeedError } from './seed.ts'
import type { Notebook } from './seeded.ts'
import type { Path, Source } from './source.ts'

/** Makes everything of a seed, or throws with all that is wrong with it and makes nothing. */
export async function plantData(app: App, source: Source, notebook: Notebook): Promise<void> {
  const outline = outlineOf(source.data)
  await inTransaction(app, async (app) => {
    const planting = begin(app, outline, notebook)
    for (const item of outline.items) await plantItem(planting, item)
    if (planting.problems.length === 0) return
    throw new SeedError(
      planting.problems.map(({ path, sentence }) => `${source.placeOf(path)}${toText(path)}${sentence}`),
    )
  })
}

interface Problem {
  readonly path: Path
  readonly sentence: string
}

interface Planting {
  readonly bench: Workbench
  readonly notebook: Notebook
  readonly problems: Problem[]
  /** Ids of the workspaces by their place in the seed. */
  readonly workspaceIds: Map<number, number>
  /** What could not be made, by the names under which others look for it. */
  readonly missing: Set<string>
}

const begin = (app: TxApp, { problems }: Outline, notebook: Notebook): Planting => ({
  bench: createWorkbench(app, notebook.note),
  notebook,
  problems: [...problems],
  workspaceIds: new Map(),
  missing: new Set(),
})

async function plantItem(planting: Planting, item: Item): Promise<void> {
  const { bench, workspaceIds } = planting
  const { kind, key, index } = item
  const workspaceId = kind === 'workspace' ? 0 : workspaceIds.get(index)
  const { problems } = readFields(recipes[kind].input, item.fields)
  if (problems.length > 0 || workspaceId === undefined) {
    planting.problems.push(...problems.map(({ path, sentence }) => ({ path: [...item.path, ...path], sentence })))
    return giveUp(planting, item, workspaceId)
  }
  try {
    const fields = kind === 'workspace' ? item.fields : { ...item.fields, workspace: workspaceId }
    const id = idOf(await makeOne(bench, kind, fields)) ?? 0
    if (kind === 'workspace') workspaceIds.set(index, id)
    if (key !== undefined) name(planting, { item, key, id, workspaceId: kind === 'workspace' ? id : workspaceId })
  } catch (refusal) {
    if (!(refusal instanceof ApiError)) throw refusal
    if (!isConsequence(planting, item, workspaceId)) planting.problems.push(...problemsOf(refusal, item))
    giveUp(planting, item, workspaceId)
  }
}

interface Named {
  readonly item: Item
  readonly key: string
  readonly id: number
  readonly workspaceId: number
}

function name({ bench, notebook, problems }: Planting, { item, key, id, workspaceId }: Named): void {
  const known = nameKey(workspaceId, item.kind, key)
  if (bench.named.has(known)) problems.push({ path: [...item.path, 'key'], sentence: `The key ${key} is used twice.` })
  bench.named.set(known, id)
  notebook.noteKey(workspaceId, key, id)
}

/** What refers to it later is not to be blamed. */
function giveUp({ missing }: Planting, { kind, key, fields }: Item, workspaceId = 0): void {
  for (const text of [key, ...namesOf(kind).map((field) => fields[field])]) {
    if (typeof text === 'string') missing.add(nameKey(workspaceId, kind, text))
  }
}

const isConsequence = ({ missing }: Planting, { kind, fields }: Item, workspaceId = 0): boolean =>
  refsOf(recipes[kind].relations, fields).some(
    ({ kind, ref }) => typeof ref === 'string' && missing.has(nameKey(workspaceId, kind, ref)),
  )

function problemsOf({ errors, message }: ApiError, { path, fields }: Item): Problem[] {
  if (errors === undefined) return [{ path, sentence: message }]
  return Object.entries(errors).flatMap(([field, sentences]) => {
    const parts = (field in fields ? field : aliasOf(field)).split('.')
    return sentences.map((sentence) => ({ path: [...path, ...parts], sentence }))
  })
}

/** `workspaces[0].tickets[1].title: ` */
function toText(path: Path): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return text === '' ? '' : `${text.replace(/^\./, '')}: `
}
