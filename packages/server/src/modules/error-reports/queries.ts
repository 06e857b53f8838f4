import type { ErrorReportQuery } from '@service/contract/admin/error-reports'
import { type Expression, type Nullable, type SelectQueryBuilder, sql, type UpdateResult } from 'kysely'
import { isUniqueViolation } from '../../store/constraint.ts'
import type { Database, Db } from '../../store/database.ts'
import { listFiltered, maxRowsRead } from '../../store/filtered-list.ts'
import { integerKey, jsonIds, type SortOrder } from '../../store/list-query.ts'
import { forEachRow, prepared } from '../../store/prepared.ts'
import { createSearch } from '../../store/record-search.ts'
import { boundedRead } from '../../store/statement-marks.ts'
import type { Store } from '../../store/store.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { ErrorGroupsTable } from './table.ts'

export type Occurrence = Omit<ErrorGroupsTable, 'id' | 'ticket_id' | 'count' | 'first_seen_at'>
export type GroupRow = Omit<ErrorGroupsTable, 'id'> & { id: number }

interface CountedGroup {
  readonly id: number
  readonly ticket_id: number | null
  readonly count: number
}

const count = prepared<Occurrence, CountedGroup>((db, param) =>
  db
    .insertInto('error_groups')
    .values({
      workspace_id: param('workspace_id'),
      fingerprint: param('fingerprint'),
      ticket_id: null,
      count: 1,
      first_seen_at: param('last_seen_at'),
      last_seen_at: param('last_seen_at'),
      message: param('message'),
      exception: param('exception'),
      file: param('file'),
      line: param('line'),
      framework: param('framework'),
      environment: param('environment'),
      severity: param('severity'),
      app: param('app'),
      sample: param('sample'),
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'fingerprint']).doUpdateSet((set) => ({
        count: set('error_groups.count', '+', 1),
        last_seen_at: set.ref('excluded.last_seen_at'),
        message: set.ref('excluded.message'),
        exception: set.ref('excluded.exception'),
        file: set.ref('excluded.file'),
        line: set.ref('excluded.line'),
        framework: set.ref('excluded.framework'),
        environment: set.ref('excluded.environment'),
        severity: set.ref('excluded.severity'),
        app: set.ref('excluded.app'),
        sample: set.ref('excluded.sample'),
      })),
    )
    .returning(['id', 'ticket_id', 'count']),
)

/** Counts one report. Locks the row until the transaction ends, so only one of several first reports opens a ticket. */
export async function countOccurrence(db: Db, occurrence: Occurrence): Promise<CountedGroup> {
  const [group] = await count(db, occurrence)
  if (group === undefined) throw new Error('The upsert of an error group returned no row.')
  return group
}

interface Recovery {
  readonly workspaceId: number
  readonly key: string
  readonly now: number
}

/** Counts a recovery notice. The latest report of the error stays unchanged. */
export const countRecovery = (db: Db, { workspaceId, key, now }: Recovery) =>
  db
    .updateTable('error_groups')
    .set((set) => ({ count: set('count', '+', 1), last_seen_at: now }))
    .where('workspace_id', '=', workspaceId)
    .where('fingerprint', '=', key)
    .returning('ticket_id')
    .executeTakeFirst()

/** The tickets of some errors, by key. */
export async function findTicketIds(
  db: Db,
  workspaceId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('error_groups')
    .select(['fingerprint', 'ticket_id'])
    .where('workspace_id', '=', workspaceId)
    .where('fingerprint', 'in', keys)
    .execute()
  return new Map(rows.flatMap(({ fingerprint, ticket_id }) => (ticket_id === null ? [] : [[fingerprint, ticket_id]])))
}

export const linkTicket = prepared<RowRef & { readonly ticketId: number }, UpdateResult>((db, param) =>
  db
    .updateTable('error_groups')
    .set({ ticket_id: param('ticketId') })
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '=', param('id')),
)

/** Instants are in microseconds. */
export interface ErrorQuery extends Omit<ErrorReportQuery, 'since'> {
  readonly since?: number | undefined
}

const orders = {
  last_seen: { key: sql<number>`error_groups.last_seen_at`, direction: 'desc', pattern: integerKey },
} satisfies Record<NonNullable<ErrorReportQuery['sort']>, SortOrder>

const groupsWithTickets = (db: Db, workspaceId: number) =>
  db
    .selectFrom('error_groups')
    .leftJoin('tickets', (join) =>
      join
        .onRef('tickets.workspace_id', '=', 'error_groups.workspace_id')
        .onRef('tickets.id', '=', 'error_groups.ticket_id'),
    )
    .where('error_groups.workspace_id', '=', workspaceId)

type Groups<Row> = SelectQueryBuilder<
  Database & { tickets: Nullable<Database['tickets']> },
  'error_groups' | 'tickets',
  Row
>

const whereStatus = <Row>(groups: Groups<Row>, status: ErrorQuery['status']): Groups<Row> =>
  status === undefined ? groups : groups.where('tickets.resolved_at', status === 'open' ? 'is' : 'is not', null)

interface ErrorCount extends Pick<ErrorQuery, 'status' | 'since'> {
  readonly limit: number
}

export async function countGroups(db: Db, workspaceId: number, { status, since, limit }: ErrorCount) {
  const recent = groupsWithTickets(db, workspaceId)
    .select(['error_groups.id', 'error_groups.first_seen_at', 'tickets.resolved_at'])
    // The index has the last report, which is never before the first one.
    .$if(since !== undefined, (found) => found.where('error_groups.last_seen_at', '>=', since ?? 0))
    .orderBy('error_groups.last_seen_at', 'desc')
    .limit(maxRowsRead)
    .as('recent')
  const rows = await db
    .selectFrom(recent)
    .select('id')
    .$if(since !== undefined, (found) => found.where('first_seen_at', '>=', since ?? 0))
    .$if(status !== undefined, (found) => found.where('resolved_at', status === 'open' ? 'is' : 'is not', null))
    .limit(limit)
    .modifyEnd(boundedRead)
    .execute()
  return rows.length
}

export function listGroups(store: Store, workspaceId: number, query: ErrorQuery) {
  const { app, environment, level, search, status, since, ...page } = query
  return listFiltered(store.dialect, {
    all: groupsWithTickets(store.db, workspaceId).selectAll('error_groups'),
    page,
    orders,
    id: 'error_groups.id',
    search: createSearch(store, { table: 'error_groups', workspaceId, search }),
    filters: { app, environment, severity: level },
    indexed: ['app'],
    where:
      (status ?? since) === undefined
        ? undefined
        : (groups) =>
            whereStatus(groups, status).$if(since !== undefined, (found) =>
              found.where('error_groups.first_seen_at', '>=', since ?? 0),
            ),
  })
}

interface StoredReport {
  readonly workspace_id: number
  readonly group_id: number
  readonly slot: number
  readonly sample: string
  readonly seen_at: number
  readonly day: string
}

const types = {
  workspace_id: 'bigint',
  group_id: 'bigint',
  slot: 'bigint',
  sample: 'text',
  seen_at: 'bigint',
  day: 'text',
} as const

/** Deletes the row in the slot instead of updating it, so ids grow with time and retention finds the oldest first. */
const clearSlot = forEachRow<StoredReport>(
  types,
  ({ of, from, inWorkspaces }) =>
    sql`delete from error_samples where ${inWorkspaces('workspace_id')} and (workspace_id, group_id, slot) in (
      select ${of('workspace_id')}, ${of('group_id')}, ${of('slot')} ${from})`,
)

const insertSample = forEachRow<StoredReport>(
  types,
  ({ of, from }) => sql`insert into error_samples (workspace_id, group_id, slot, sample, seen_at)
    select ${of('workspace_id')}, ${of('group_id')}, ${of('slot')}, ${of('sample')}, ${of('seen_at')} ${from}`,
)

const countDay = forEachRow<StoredReport>(
  types,
  ({ of, from }) => sql`insert into error_group_days (workspace_id, group_id, day, count, last_seen_at)
    select ${of('workspace_id')}, ${of('group_id')}, ${of('day')}, 1, ${of('seen_at')} ${from} where true
    on conflict (workspace_id, group_id, day) do update
    set count = error_group_days.count + 1, last_seen_at = excluded.last_seen_at`,
)

/** Stores a report, replacing the one in its slot, and counts it for its day. */
export async function storeReport(store: Store, report: StoredReport, slotIsTaken: boolean): Promise<void> {
  if (slotIsTaken) await clearSlot(store, [report])
  await insertSample(store, [report])
  await countDay(store, [report])
}

/** Stores a report in its slot without counting it. */
export async function replaceSample(store: Store, report: StoredReport): Promise<void> {
  await clearSlot(store, [report])
  await insertSample(store, [report])
}

/** An error, whose row stays locked until the transaction ends. */
export const lockGroup = (db: Db, { workspaceId, id }: RowRef): Promise<GroupRow | undefined> =>
  db
    .updateTable('error_groups')
    .set((set) => ({ count: set.ref('count') }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const findGroupByKey = (db: Db, workspaceId: number, key: string): Promise<GroupRow | undefined> =>
  db
    .selectFrom('error_groups')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('fingerprint', '=', key)
    .executeTakeFirst()

/** Changes what an error is. Returns false if a concurrent report has the new key. */
export async function moveGroup(
  db: Db,
  { workspaceId, id }: RowRef,
  read: Omit<Occurrence, 'workspace_id' | 'last_seen_at'>,
): Promise<boolean> {
  try {
    await db
      .updateTable('error_groups')
      .set(read)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

interface OccurrenceToRemove {
  readonly group: GroupRow
  readonly day: string
  readonly samplesKept: number
}

/** Takes one report from an error. Its newest report moves to the slot before, because the next one uses its slot. */
export async function uncountOccurrence(db: Db, { group, day, samplesKept }: OccurrenceToRemove): Promise<void> {
  const { workspace_id, id, count } = group
  await db
    .updateTable('error_groups')
    .set({ count: count - 1 })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('error_group_days')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('workspace_id', '=', workspace_id)
    .where('group_id', '=', id)
    .where('day', '=', day)
    .where('count', '>', 1)
    .execute()
  const samples = { workspace_id, group_id: id }
  await db
    .deleteFrom('error_samples')
    .where((where) => where.and({ ...samples, slot: (count - 1) % samplesKept }))
    .execute()
  await db
    .updateTable('error_samples')
    .set({ slot: (count - 1) % samplesKept })
    .where((where) => where.and({ ...samples, slot: count % samplesKept }))
    .execute()
}

interface GroupsToJoin {
  readonly workspaceId: number
  readonly from: GroupRow
  readonly to: number
}

/** Adds the counts of one error to another and deletes the first, whose reports were misread. */
export async function joinGroups(db: Db, { workspaceId, from, to }: GroupsToJoin): Promise<void> {
  await db
    .insertInto('error_group_days')
    .columns(['workspace_id', 'group_id', 'day', 'count', 'last_seen_at'])
    .expression((query) =>
      query
        .selectFrom('error_group_days')
        .select(['workspace_id', sql<number>`${sql.lit(to)}`.as('group_id'), 'day', 'count', 'last_seen_at'])
        .where('workspace_id', '=', workspaceId)
        .where('group_id', '=', from.id),
    )
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'group_id', 'day']).doUpdateSet(({ eb, ref }) => ({
        count: eb('error_group_days.count', '+', ref('excluded.count')),
        last_seen_at: later(ref('error_group_days.last_seen_at'), ref('excluded.last_seen_at')),
      })),
    )
    .execute()
  await db
    .updateTable('error_groups')
    .set(({ eb, ref }) => ({
      count: eb('count', '+', from.count),
      first_seen_at: sql<number>`case when first_seen_at > ${from.first_seen_at} then ${from.first_seen_at} else first_seen_at end`,
      last_seen_at: later(ref('last_seen_at'), sql<number>`${from.last_seen_at}`),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', to)
    .execute()
  for (const table of ['error_group_days', 'error_samples'] as const)
    await db.deleteFrom(table).where('workspace_id', '=', workspaceId).where('group_id', '=', from.id).execute()
  await db.deleteFrom('error_groups').where('workspace_id', '=', workspaceId).where('id', '=', from.id).execute()
}

const later = (one: Expression<number>, other: Expression<number>) =>
  sql<number>`case when ${one} > ${other} then ${one} else ${other} end`

export const findGroup = (db: Db, workspaceId: number, id: number): Promise<GroupRow | undefined> =>
  db
    .selectFrom('error_groups')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findTicketGroup = (db: Db, workspaceId: number, ticketId: number) =>
  db
    .selectFrom('error_groups')
    .select(['id', 'count', 'last_seen_at'])
    .where('workspace_id', '=', workspaceId)
    .where('ticket_id', '=', ticketId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Newest first. */
export const listSamples = (db: Db, { workspaceId, id }: RowRef) =>
  db
    .selectFrom('error_samples')
    .select(['sample', 'seen_at'])
    .where('workspace_id', '=', workspaceId)
    .where('group_id', '=', id)
    .orderBy('id', 'desc')
    .execute()

/** The daily counts of several errors, oldest first. */
export const listGroupDays = (
  { dialect, db }: Store,
  { workspaceId, ids, since }: { workspaceId: number; ids: readonly number[]; since: string },
) =>
  db
    .selectFrom('error_group_days')
    .select(['group_id', 'day', 'count'])
    .where('workspace_id', '=', workspaceId)
    .where('group_id', 'in', jsonIds(dialect, ids))
    .where('day', '>=', since)
    .orderBy('day')
    .execute()

/** Oldest first. */
export const listDays = (db: Db, { workspaceId, id }: RowRef, since: string) =>
  db
    .selectFrom('error_group_days')
    .select(['day', 'count', 'last_seen_at'])
    .where('workspace_id', '=', workspaceId)
    .where('group_id', '=', id)
    .where('day', '>=', since)
    .orderBy('day')
    .execute()

/** The latest report of each error that is counted on one of these tickets. */
export const listTicketFacts = ({ dialect, db }: Store, workspaceId: number, ticketIds: readonly number[]) =>
  db
    .selectFrom('error_groups')
    .select(['ticket_id', 'exception', 'message', 'app', 'environment', 'framework', 'severity', 'count'])
    .where('workspace_id', '=', workspaceId)
    .where('ticket_id', 'in', jsonIds(dialect, ticketIds))
    .orderBy('id')
    .execute()

/**
 * Reports per application since this day (UTC), highest first. The application is looked up for each row, because
 * PostgreSQL would join by reading all errors of the workspace.
 */
export const countByApp = (db: Db, workspaceId: number, day: string) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('error_group_days')
        .select(({ selectFrom }) => [
          'group_id',
          'count',
          selectFrom('error_groups')
            .select('app')
            .where('workspace_id', '=', workspaceId)
            .whereRef('error_groups.id', '=', 'error_group_days.group_id')
            .as('app'),
        ])
        .where('workspace_id', '=', workspaceId)
        .where('day', '>=', day)
        .orderBy('day', 'desc')
        .limit(sql.lit(maxRowsRead))
        .as('days'),
    )
    .select(({ fn }) => [
      'app',
      fn.sum<number>('count').as('reports'),
      fn.count<number>('group_id').distinct().as('kinds'),
    ])
    .groupBy('app')
    .orderBy('reports', 'desc')
    .limit(sql.lit(20))
    .modifyEnd(boundedRead)
    .execute()

/** Counts one more opened ticket in this hour and returns the total. */
export async function countOpenedTicket(db: Db, { workspaceId, hour }: { workspaceId: number; hour: number }) {
  const { opened } = await db
    .insertInto('error_ticket_budgets')
    .values({ workspace_id: workspaceId, hour, opened: 1 })
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet(({ eb, ref }) => ({
        hour,
        opened: eb
          .case()
          .when('error_ticket_budgets.hour', '=', hour)
          .then(eb(ref('error_ticket_budgets.opened'), '+', 1))
          .else(1)
          .end(),
      })),
    )
    .returning('opened')
    .executeTakeFirstOrThrow()
  return opened
}
