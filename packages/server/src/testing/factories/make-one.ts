import { type FactoryDefinition, type Kind, tableOf } from './define-factory.ts'
import * as crm from './definitions/crm.ts'
import * as hrms from './definitions/hrms.ts'
import * as integrations from './definitions/integrations.ts'
import * as people from './definitions/people.ts'
import * as work from './definitions/work.ts'
import { type FactoryContext, idOf, nextId, pinId, pinTime } from './factory-context.ts'
import { checkFields, firstId, type Named, refer, refsOf, workspaceOf } from './references.ts'

type AnyRecipe = FactoryDefinition<unknown, object>

/** Creates one record and, before it, its relations. Invalid input throws an `ApiError` with field errors. */
export async function makeOne(bench: FactoryContext, kind: Kind, given: unknown = {}): Promise<object> {
  const recipe: AnyRecipe = recipes[kind]
  const { id, created_at, ...input } = checkFields(recipe.input, given) as Checked // validated by the recipe's schema
  const refs = refsOf(recipe.relations, input)
  const workspaceId = await placeOf(bench, { kind, input, refs })
  const related = await relatedIds(bench, recipe, { refs, workspaceId })
  const table = tableOf(kind)
  const n = table === undefined ? 1 : (id ?? (await nextId(bench, table)))
  if (table !== undefined && id !== undefined) await pinId(bench, table, id)
  const app = pinTime(bench.app, created_at)
  const thing = await recipe.make(app as never, { ...input, ...related, workspace_id: workspaceId } as never, n) // see `recipe`
  app.store.noteWorkspaces([workspaceId])
  if (table !== undefined) bench.nextIds.set(table, Math.max(n, idOf(thing) ?? 0) + 1)
  bench.onMade({ kind, workspaceId: kind === 'workspace' ? (idOf(thing) ?? 0) : workspaceId, thing })
  return thing
}

type Checked = Readonly<Record<string, unknown>> & { readonly id?: number; readonly created_at?: string }

/** The given workspace, or else that of another given relation, or else the oldest, created if there is none. */
async function placeOf(
  bench: FactoryContext,
  { kind, input, refs }: { kind: Kind; input: Checked; refs: readonly Named[] },
): Promise<number> {
  if (kind === 'workspace') return 0
  const [named] = refsOf({ workspace_id: 'workspace' }, input)
  if (named?.ref !== undefined && named.ref !== null) return refer(bench, named, 0)
  for (const { kind: of, ref } of refs) {
    const id = typeof ref === 'object' ? ref?.id : ref
    const workspaceId = typeof id === 'number' ? await workspaceOf(bench, of, id) : undefined
    if (workspaceId !== undefined) return workspaceId
  }
  return parent(bench, 'workspace', 0)
}

async function relatedIds(
  bench: FactoryContext,
  { relations, needs }: AnyRecipe,
  { refs, workspaceId }: { refs: readonly Named[]; workspaceId: number },
): Promise<Record<string, number | null>> {
  const ids: Record<string, number | null> = {}
  for (const [index, [field, kind]] of Object.entries(relations).entries()) {
    const named = refs[index]
    if (named?.ref === null) ids[field] = null
    else if (named?.ref !== undefined) ids[field] = await refer(bench, named, workspaceId)
    else if (needs.includes(field)) ids[field] = await parent(bench, kind, workspaceId)
  }
  return ids
}

/** The oldest of its kind in the workspace, created if there is none. */
async function parent(bench: FactoryContext, kind: Kind, workspaceId: number): Promise<number> {
  const key = `${workspaceId} ${kind}`
  const known = bench.parents.get(key) ?? (await firstId(bench, { kind, workspaceId }))
  const id = known ?? idOf(await makeOne(bench, kind, kind === 'workspace' ? {} : { workspace: workspaceId })) ?? 0
  bench.parents.set(key, id)
  return id
}

/** All recipes. A new kind needs one recipe here and one line in `define-factory.ts`. */
export const recipes = {
  ...people,
  ...work,
  ...crm,
  ...hrms,
  ...integrations,
} satisfies { readonly [K in Kind]: FactoryDefinition<unknown, object> }

export type Recipes = typeof recipes

/** The input of a recipe, as its schema defines it. */
export type InputTo<R> = R extends FactoryDefinition<infer Input, object> ? Input : never
/** The output of a recipe, as its service returns it. */
export type MadeBy<R> = R extends FactoryDefinition<unknown, infer Thing> ? Thing : never
