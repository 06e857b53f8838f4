import { parseInstant } from '@service/intake/sanitize/instant'
import type { App } from '../../context.ts'
import type { Clock, Micros } from '../../core/clock.ts'
import { ApiError } from '../../core/errors.ts'
import { isJsonObject } from '../../core/json.ts'
import { inTransaction } from '../../store/transaction.ts'
import { createRecord, definitions } from '../factories/create-record.ts'
import { aliasOf, type Kind, namesOf } from '../factories/define-factory.ts'
import { createFactoryContext, type FactoryContext, idOf, nameKey } from '../factories/factory-context.ts'
import {
  type FieldProblem,
  findWorkspaceId,
  readFields,
  resolveReference,
  toReferences,
} from '../factories/references.ts'
import { nameOfUnreadable } from '../factories/unreadable.ts'
import { SeedError, sections } from './seed.ts'
import type { SeedRecorder } from './seed-state.ts'
import type { Path, Source } from './source.ts'

/** A large seed is applied before the port opens, so the log shows how far it is. */
const recordsPerLine = 1000

interface SeedRunParts {
  readonly recorder: SeedRecorder
  /** For a seed in the past, which `app` has as its time. */
  readonly serverClock?: Clock
}

/** Creates all records of a seed, or throws with all of its errors and creates nothing. */
export async function applySeedData(
  app: App,
  source: Source,
  { recorder, serverClock = app.clock }: SeedRunParts,
): Promise<void> {
  const outline = orderRecords(source.data, app.clock.now())
  await inTransaction(app, async (app) => {
    const context = { ...createFactoryContext(app, recorder.record), serverClock }
    const run = startRun(context, outline, recorder)
    for (const [index, item] of outline.items.entries()) {
      if (index > 0 && index % recordsPerLine === 0)
        app.log.info(`Created ${index} of ${outline.items.length} records of the seed.`)
      await applyItem(run, item)
    }
    if (run.problems.length === 0) return
    throw new SeedError(run.problems.map(({ path, message }) => `${source.locationOf(path)}${toText(path)}${message}`))
  })
}

interface Problem {
  readonly path: Path
  readonly message: string
}

interface SeedRun {
  readonly context: FactoryContext
  readonly recorder: SeedRecorder
  readonly problems: Problem[]
  /** Workspace ids by their position in the seed. */
  readonly workspaceIds: Map<number, number>
  /** Records that could not be created, by the names that refer to them. */
  readonly missing: Set<string>
}

const startRun = (context: FactoryContext, { problems }: OrderedSeed, recorder: SeedRecorder): SeedRun => ({
  context,
  recorder,
  problems: [...problems],
  workspaceIds: new Map(),
  missing: new Set(),
})

/**
 * Creates one record. Errors are collected, and the record is created without the invalid fields, so that
 * later records can be checked too and one run reports all errors.
 */
async function applyItem(run: SeedRun, item: Item): Promise<void> {
  const { context, workspaceIds } = run
  const { kind, key, index, path } = item
  const workspaceId = kind === 'workspace' ? 0 : workspaceIds.get(index)
  const { problems } = readFields(
    definitions[kind].input,
    item.fields,
    kind === 'workspace' ? Object.keys(sections) : [],
  )
  if (workspaceId !== undefined) problems.push(...(await unresolvedReferences(run, item, workspaceId)))
  run.problems.push(...problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })))
  const wrong = new Set(problems.map(({ path: [field] }) => String(field)))
  markMissing(run, { ...item, key: undefined, fields: only(item.fields, wrong) }, workspaceId)
  if (workspaceId === undefined) return markMissing(run, item)
  try {
    const fields = only(item.fields, wrong, false)
    const id =
      idOf(await createRecord(context, kind, kind === 'workspace' ? fields : { ...fields, workspace: workspaceId })) ??
      0
    if (kind === 'workspace') workspaceIds.set(index, id)
    if (key !== undefined) recordName(run, { item, key, id, workspaceId: kind === 'workspace' ? id : workspaceId })
  } catch (refusal) {
    if (!(refusal instanceof ApiError)) throw refusal
    const others = toProblems(refusal, item).filter(({ path: at }) => !wrong.has(String(at[path.length])))
    if (!refersToMissing(run, item, workspaceId)) run.problems.push(...others)
    markMissing(run, item, workspaceId)
  }
}

const only = (fields: Item['fields'], names: ReadonlySet<string>, has = true): Item['fields'] =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => names.has(field) === has))

/** All references to records that do not exist. Creation would stop at the first. */
async function unresolvedReferences(
  { context, missing }: SeedRun,
  { kind, fields }: Item,
  workspaceId: number,
): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const named of toReferences(definitions[kind].relations, fields)) {
    const { field, kind: of, ref } = named
    if (typeof ref === 'number' && Number.isInteger(ref) && (await findWorkspaceId(context, of, ref)) === undefined) {
      problems.push({ path: [field], message: `There is no ${of} ${ref}.` })
    }
    if (typeof ref !== 'string' || ref === '' || missing.has(nameKey(workspaceId, of, ref))) continue
    const exists = await resolveReference(context, named, workspaceId).then(
      () => true,
      (refusal: unknown) => (refusal instanceof ApiError ? false : Promise.reject(refusal)),
    )
    if (!exists) problems.push({ path: [field], message: `There is no ${of} '${ref}' in this workspace.` })
  }
  return problems
}

interface NamedRecord {
  readonly item: Item
  readonly key: string
  readonly id: number
  readonly workspaceId: number
}

function recordName({ context, recorder, problems }: SeedRun, { item, key, id, workspaceId }: NamedRecord): void {
  context.named.set(nameKey(workspaceId, item.kind, key), id)
  // Also in two lists, because `ids` of the seeded workspace has one id for each key.
  if (recorder.recordKey(workspaceId, key, id)) return
  problems.push({ path: [...item.path, 'key'], message: `The key ${key} is used twice.` })
}

/** Suppresses errors for references to this failed record. */
function markMissing({ missing }: SeedRun, { kind, key, fields }: Item, workspaceId = 0): void {
  for (const text of [key, ...namesOf(kind).map((field) => fields[field])]) {
    if (typeof text === 'string') missing.add(nameKey(workspaceId, kind, text))
  }
}

const refersToMissing = ({ missing }: SeedRun, { kind, fields }: Item, workspaceId = 0): boolean =>
  toReferences(definitions[kind].relations, fields).some(
    ({ kind, ref }) => typeof ref === 'string' && missing.has(nameKey(workspaceId, kind, ref)),
  )

function toProblems({ errors, message }: ApiError, { path, fields }: Item): Problem[] {
  if (errors === undefined) return [{ path, message }]
  return Object.entries(errors).flatMap(([field, messages]) => {
    const parts = (field in fields ? field : aliasOf(field)).split('.')
    return messages.map((message) => ({ path: [...path, ...parts], message }))
  })
}

/** `workspaces[0].tickets[1].title: ` */
function toText(path: Path): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return text === '' ? '' : `${text.replace(/^\./, '')}: `
}

/** A record of a seed and its location. */
interface Item {
  readonly kind: Kind
  /** The position of its workspace in the seed. */
  readonly index: number
  readonly path: Path
  readonly key: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** The records of a seed in creation order. */
interface OrderedSeed {
  readonly items: readonly Item[]
  readonly problems: readonly FieldProblem[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Orders the records of a seed by kind across all workspaces, so that references exist. Within a kind, those with
 * a fixed id come first, by id, because ids only increase. The rest follow by `created_at`.
 */
function orderRecords(data: unknown, now: Micros): OrderedSeed {
  const problems: FieldProblem[] = []
  const readList = (value: unknown, path: Path): readonly (readonly [Path, Fields])[] => {
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) problems.push({ path, message: `${String(path.at(-1) ?? 'The seed')} must be a list.` })
    return (Array.isArray(value) ? value : []).flatMap((each: unknown, index) => {
      const location = [...path, index]
      const unreadable = nameOfUnreadable(each)
      if (isJsonObject(each) && unreadable === undefined) return [[location, each] as const]
      problems.push({ path: location, message: `This must have fields.${hintFor(unreadable)}` })
      return []
    })
  }
  const unreadable = nameOfUnreadable(data)
  if (!isJsonObject(data) || unreadable !== undefined) {
    const message = `A seed must be an object with \`workspaces\`.${hintFor(unreadable)}`
    return { items: [], problems: [{ path: [], message }] }
  }
  for (const key of Object.keys(data).filter((each) => each !== 'workspaces')) {
    problems.push({ path: [key], message: `There is no field ${key} here; a seed has \`workspaces\`.` })
  }
  const workspaces = readList(data['workspaces'], ['workspaces'])
  const workspaceItems = workspaces.map(([path, fields], index) =>
    toItem('workspace', { index, path, fields: withoutSections(fields) }),
  )
  const sectionItems = Object.entries(sections).flatMap(([section, kind]) =>
    inOrder(
      workspaces.flatMap(([path, fields], index) =>
        readList(fields[section], [...path, section]).map(([at, each]) =>
          toItem(kind, { index, path: at, fields: each }),
        ),
      ),
      now,
    ),
  )
  return { items: [...inOrder(workspaceItems, now), ...sectionItems], problems }
}

function hintFor(unreadable: string | undefined): string {
  if (unreadable === 'Promise') return ' It is a promise: await it first.'
  return unreadable === undefined ? '' : ` It is a ${unreadable}.`
}

function toItem(kind: Kind, { index, path, fields }: { index: number; path: Path; fields: Fields }): Item {
  const { key, ...others } = fields
  return { kind, index, path, fields: others, key: key === undefined ? undefined : String(key) }
}

const withoutSections = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(sections, name)))

function inOrder(items: readonly Item[], now: Micros): Item[] {
  const idOf = ({ fields }: Item) => (typeof fields['id'] === 'number' ? fields['id'] : Number.POSITIVE_INFINITY)
  const namesOf = ({ key, fields }: Item) => [key, fields['title']].filter((name) => name !== undefined)
  const named = new Map(items.flatMap((item) => namesOf(item).map((name) => [`${item.index} ${name}`, item])))
  const parentOf = ({ index, fields }: Item) => {
    const name = fields['parent'] ?? fields['parent_id']
    return name === undefined ? undefined : named.get(`${index} ${name}`)
  }
  const createdAt = new Map<Item, Micros>()
  // A task is created after its parent, regardless of time.
  const noteCreation = (item: Item) => {
    const line = new Set<Item>() // from the item to its ancestors, which may form a cycle
    for (let next: Item | undefined = item; next && !line.has(next) && !createdAt.has(next); next = parentOf(next))
      line.add(next)
    for (const each of [...line].toReversed()) {
      const afterParent = createdAt.get(parentOf(each) ?? each) ?? Number.NEGATIVE_INFINITY
      createdAt.set(each, Math.max(afterParent, parseInstant(String(each.fields['created_at'])) ?? now))
    }
  }
  for (const item of items) noteCreation(item)
  const keyed = items.map((item) => ({ item, id: idOf(item), at: createdAt.get(item) ?? now }))
  // Infinity minus infinity is NaN, which sorts as equal.
  return keyed.toSorted((a, b) => a.id - b.id || a.at - b.at).map(({ item }) => item)
}
