import { nextSlice } from '../../core/next-turn.ts'
import { type FactoryDefinition, type Kind, tableOf } from './define-factory.ts'
import * as crm from './definitions/crm.ts'
import * as hrms from './definitions/hrms.ts'
import * as integrations from './definitions/integrations.ts'
import * as people from './definitions/people.ts'
import * as work from './definitions/work.ts'
import { type FactoryContext, idOf, nextId, pinId, pinTime } from './factory-context.ts'
import {
  checkFields,
  findWorkspaceId,
  firstId,
  type Reference,
  requireNewest,
  requirePast,
  resolveReference,
  toReferences,
} from './references.ts'

type AnyDefinition = FactoryDefinition<unknown, object>

/** Creates one record and, before it, its relations. Invalid input throws an `ApiError` with field errors. */
export async function createRecord(context: FactoryContext, kind: Kind, fields: unknown = {}): Promise<object> {
  // A seed may have thousands of records.
  await nextSlice('first')
  const definition: AnyDefinition = definitions[kind]
  const { id, created_at, ...input } = checkFields(definition.input, fields) as CheckedFields // validated by the definition's schema
  const refs = toReferences(definition.relations, input)
  const workspaceId = await resolveWorkspaceId(context, { kind, input, refs })
  const related = await relatedIds(context, definition, { refs, workspaceId })
  requirePast(context, { created_at, updated_at: input['updated_at'] })
  await requireNewest(context, { kind, workspaceId }, created_at)
  const table = tableOf(kind)
  const n = table === undefined ? 1 : (id ?? (await nextId(context, table)))
  if (table !== undefined && id !== undefined) await pinId(context, table, id)
  const app = pinTime(context.app, created_at)
  const record = await definition.make(app as never, { ...input, ...related, workspace_id: workspaceId } as never, n) // see `FactoryDefinition`
  app.store.noteWorkspaces([workspaceId])
  if (table !== undefined) context.nextIds.set(table, Math.max(n, idOf(record) ?? 0) + 1)
  context.onCreated({ kind, workspaceId: kind === 'workspace' ? (idOf(record) ?? 0) : workspaceId, record })
  return record
}

type CheckedFields = Readonly<Record<string, unknown>> & { readonly id?: number; readonly created_at?: string }

/** The given workspace, or else that of another given relation, or else the oldest, created if there is none. */
async function resolveWorkspaceId(
  context: FactoryContext,
  { kind, input, refs }: { kind: Kind; input: CheckedFields; refs: readonly Reference[] },
): Promise<number> {
  if (kind === 'workspace') return 0
  const [named] = toReferences({ workspace_id: 'workspace' }, input)
  if (named?.ref !== undefined && named.ref !== null) return resolveReference(context, named, 0)
  for (const { kind: of, ref } of refs) {
    const id = typeof ref === 'object' ? ref?.id : ref
    const workspaceId = typeof id === 'number' ? await findWorkspaceId(context, of, id) : undefined
    if (workspaceId !== undefined) return workspaceId
  }
  return findOrCreate(context, 'workspace', 0)
}

async function relatedIds(
  context: FactoryContext,
  { relations, needs }: AnyDefinition,
  { refs, workspaceId }: { refs: readonly Reference[]; workspaceId: number },
): Promise<Record<string, number | null>> {
  const ids: Record<string, number | null> = {}
  for (const [index, [field, kind]] of Object.entries(relations).entries()) {
    const named = refs[index]
    if (named?.ref === null) ids[field] = null
    else if (named?.ref !== undefined) ids[field] = await resolveReference(context, named, workspaceId)
    else if (needs.includes(field)) ids[field] = await findOrCreate(context, kind, workspaceId)
  }
  return ids
}

/** The oldest of its kind in the workspace, created if there is none. */
async function findOrCreate(context: FactoryContext, kind: Kind, workspaceId: number): Promise<number> {
  const key = `${workspaceId} ${kind}`
  const found = context.parents.get(key) ?? (await firstId(context, { kind, workspaceId }))
  const id =
    found ?? idOf(await createRecord(context, kind, kind === 'workspace' ? {} : { workspace: workspaceId })) ?? 0
  context.parents.set(key, id)
  return id
}

/** All definitions. A new kind needs one here and one line in `define-factory.ts`. */
export const definitions = {
  ...people,
  ...work,
  ...crm,
  ...hrms,
  ...integrations,
} satisfies { readonly [K in Kind]: FactoryDefinition<unknown, object> }

export type Definitions = typeof definitions

/** The input of a factory, as its schema defines it. */
export type InputTo<R> = R extends FactoryDefinition<infer Input, object> ? Input : never
/** The output of a factory, as its service returns it. */
export type OutputOf<R> = R extends FactoryDefinition<unknown, infer Output> ? Output : never
