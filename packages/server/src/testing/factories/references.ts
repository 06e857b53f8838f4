import { describeIssue } from '@service/contract'
import { didYouMean } from '@service/contract/nearest'
import { parseInstant } from '@service/intake/sanitize/instant'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { TxApp } from '../../context.ts'
import { formatInstant, type Micros, microsPerSecond } from '../../core/clock.ts'
import { type FieldErrors, validation } from '../../core/errors.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'
import { fieldNames } from '../contract/violation.ts'
import { aliasOf, type Kind, namesOf, type Relations, tableOf } from './define-factory.ts'
import { type FactoryContext, nameKey } from './factory-context.ts'
import type { Ref } from './factory-fields.ts'

/** A relation field and its value, under either name. */
export interface Reference {
  readonly field: string
  readonly kind: Kind
  readonly ref: Ref | null | undefined
}

export function toReferences(relations: Relations, input: Readonly<Record<string, unknown>>): Reference[] {
  return Object.entries(relations).map(([field, kind]) => {
    const alias = aliasOf(field)
    const name = input[field] === undefined && input[alias] !== undefined ? alias : field
    return { field: name, kind, ref: input[name] as Ref | null | undefined } // the schema has let nothing else through
  })
}

/** The id of a reference. Seed keys take precedence. */
export async function resolveReference(
  context: FactoryContext,
  { field, kind, ref }: Reference,
  workspaceId: number,
): Promise<number> {
  if (typeof ref === 'number') return ref
  if (typeof ref === 'object' && ref !== null) return ref.id
  const name = ref ?? ''
  const found =
    context.named.get(nameKey(workspaceId, kind, name)) ?? (await findByName(context, { kind, name, workspaceId }))
  if (found === undefined)
    throw validation({ [field]: [`There is no ${kind} '${name}'${kind === 'workspace' ? '' : ' in this workspace'}.`] })
  return found
}

interface Lookup {
  readonly kind: Kind
  readonly workspaceId: number
}

async function findByName(context: FactoryContext, { name, ...lookup }: Lookup & { readonly name: string }) {
  for (const column of namesOf(lookup.kind)) {
    const found = await firstId(context, lookup, { column, value: name })
    if (found !== undefined) return found
  }
  return undefined
}

/** The oldest record of a workspace, optionally with this name. */
export async function firstId(
  { app }: FactoryContext,
  { kind, workspaceId }: Lookup,
  is?: { readonly column: string; readonly value: string },
): Promise<number | undefined> {
  const table = tableOf(kind)
  if (table === undefined) return undefined
  const named = is === undefined ? sql`1 = 1` : sql`${sql.ref(`${table}.${is.column}`)} = ${is.value}`
  const { rows } = await sql<{ id: number }>`select ${sql.ref(`${table}.id`)} as id from ${sql.table(table)}
    where ${within(kind, workspaceId)} and ${named} order by 1 limit 1`.execute(app.db)
  return rows[0]?.id
}

/**
 * Lists show the newest record first by its id, so a record older than the newest one would stand in the wrong place.
 * Punches are listed by their own time.
 */
export async function requireNewest(context: FactoryContext, { kind, workspaceId }: Lookup, createdAt?: string) {
  const table = tableOf(kind)
  if (table === undefined || kind === 'punch') return
  const { newestAt, app } = context
  const key = `${workspaceId} ${kind}`
  const at = createdAt === undefined ? null : parseInstant(createdAt)
  const newest =
    at === null ? undefined : (newestAt.get(key) ?? (await findNewest(app, table, within(kind, workspaceId))))
  if (at !== null && newest !== undefined && at < newest) {
    const message = `The newest ${kind} is of ${formatInstant(newest)}. Lists show the newest first, so this one must not be older.`
    throw validation({ created_at: [message] })
  }
  newestAt.set(key, at ?? app.clock.now())
}

/** The server's time and instants of its machine differ by less while the clock runs. */
const runningToleranceMicros = microsPerSecond

/** What is created next, at the time of the clock, would stand below a record of the future. */
export function requirePast({ serverClock: clock }: FactoryContext, times: Readonly<Record<string, unknown>>): void {
  const now = clock.now()
  const tolerance = 'isFrozen' in clock && clock.isFrozen ? 0 : runningToleranceMicros
  for (const [field, time] of Object.entries(times)) {
    const at = typeof time === 'string' ? parseInstant(time) : null
    if (at === null || at <= now + tolerance) continue
    const message = `The clock of the server is at ${formatInstant(now)}. Lists show the newest first, so this must not be later. Move the clock there first.`
    throw validation({ [field]: [message] })
  }
}

async function findNewest({ db }: TxApp, table: string, condition: RawBuilder<unknown>): Promise<Micros | undefined> {
  const { rows } = await sql<{ newest: Micros | null }>`select max(${sql.ref(`${table}.created_at`)}) as newest
    from ${sql.table(table)} where ${condition}`.execute(db)
  return rows[0]?.newest ?? undefined
}

function within(kind: Kind, workspaceId: number) {
  if (kind === 'workspace') return sql`1 = 1`
  if (kind !== 'member') return sql`workspace_id = ${workspaceId}`
  return sql`users.id in (select user_id from members where workspace_id = ${workspaceId})`
}

/** The workspace of a record. For a user, the oldest one. */
export async function findWorkspaceId({ app }: FactoryContext, kind: Kind, id: number): Promise<number | undefined> {
  const table = kind === 'member' ? 'members' : tableOf(kind)
  if (table === undefined) return undefined
  const { rows } = await sql<{ workspace_id: number }>`select workspace_id from ${sql.table(table)}
    where ${sql.ref(kind === 'member' ? 'user_id' : 'id')} = ${id} order by 1 limit 1
    ${acrossWorkspaces('seeds')}`.execute(app.db)
  return rows[0]?.workspace_id
}

/** An input error and its location. */
export interface FieldProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The validated input, or all input errors. */
export function readFields(
  schema: z.ZodMiniType,
  input: unknown,
  /** Other fields of the same object that are read elsewhere. */
  others: readonly string[] = [],
): { readonly data?: unknown; readonly problems: FieldProblem[] } {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  return parsed.success
    ? { data: parsed.data, problems: [] }
    : { problems: parsed.error.issues.flatMap((issue) => toProblems(issue, [...fieldNames(schema), ...others])) }
}

function toProblems(issue: z.core.$ZodIssue, known: readonly string[]): FieldProblem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code !== 'unrecognized_keys') return [{ path, message: describeIssue(issue) }]
  return issue.keys.map((key) => {
    const hint = path.length === 0 ? didYouMean(key, known) : ''
    return { path: [...path, key], message: `There is no field ${key} here.${hint}` }
  })
}

/** The validated input, or an `ApiError` with field errors. */
export function checkFields(schema: z.ZodMiniType, input: unknown): unknown {
  const { data, problems } = readFields(schema, input)
  if (problems.length === 0) return data
  const errors: Record<string, string[]> = {}
  for (const { path, message } of problems) {
    const field = path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), message]
  }
  throw validation(errors satisfies FieldErrors)
}
