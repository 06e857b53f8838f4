import type { ErrorLevel } from '@service/contract'
import { sql, type UpdateResult } from 'kysely'
import type { SortablePage } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { integerKey, jsonIds, type SortOrder, sortedBy, whereEqual } from '../../store/list-query.ts'
import { forEachRow, prepared } from '../../store/prepared.ts'
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

/** Filters for errors. Omitted fields match everything. */
interface ErrorFilter {
  readonly app?: string | undefined
  readonly environment?: string | undefined
  readonly level?: ErrorLevel | undefined
  /** Text in the exception or the message, in any case. */
  readonly search?: string | undefined
  /** `resolved` if the ticket is resolved, otherwise `open`. */
  readonly status?: 'open' | 'resolved' | undefined
}

const orders = {
  last_seen: { key: sql<number>`error_groups.last_seen_at`, direction: 'desc', pattern: integerKey },
} satisfies Record<string, SortOrder>

export type ErrorQuery = SortablePage<keyof typeof orders> & ErrorFilter

const groupsWith = (db: Db, workspaceId: number, status: ErrorFilter['status']) =>
  db
    .selectFrom('error_groups')
    .leftJoin('tickets', (join) =>
      join
        .onRef('tickets.workspace_id', '=', 'error_groups.workspace_id')
        .onRef('tickets.id', '=', 'error_groups.ticket_id'),
    )
    .where('error_groups.workspace_id', '=', workspaceId)
    .$if(status !== undefined, (found) => found.where('tickets.resolved_at', status === 'open' ? 'is' : 'is not', null))

interface ErrorCount extends Pick<ErrorFilter, 'status'> {
  /** Only errors that were first reported at or after this instant. */
  readonly since: number | undefined
  readonly limit: number
}

export async function countGroups(db: Db, workspaceId: number, { status, since, limit }: ErrorCount) {
  const rows = await groupsWith(db, workspaceId, status)
    .select('error_groups.id')
    // The index has the last report, which is never before the first one.
    .$if(since !== undefined, (found) =>
      found.where('error_groups.last_seen_at', '>=', since ?? 0).where('error_groups.first_seen_at', '>=', since ?? 0),
    )
    .limit(limit)
    .execute()
  return rows.length
}

export function listGroups(db: Db, workspaceId: number, query: ErrorQuery) {
  const { app, environment, level, search, status, ...page } = query
  const groups = whereEqual(
    groupsWith(db, workspaceId, status)
      .selectAll('error_groups')
      .$if(search !== undefined, (found) => found.where(hasText(search ?? ''))),
    { app, environment, severity: level },
  )
  return sortedBy(groups, page, { orders, id: 'error_groups.id' }).execute()
}

/** SQLite's `lower` changes only ASCII letters, so both sides use it. */
const hasText = (search: string) =>
  sql<boolean>`lower(coalesce(exception, '') || ' ' || coalesce(message, ''))
    like lower(${`%${search.replace(/[\\%_]/g, '\\$&')}%`}) escape '\\'`

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

export const findGroup = (db: Db, workspaceId: number, id: number): Promise<GroupRow | undefined> =>
  db
    .selectFrom('error_groups')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findGroupOf = (db: Db, workspaceId: number, ticketId: number) =>
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
export const listDaysOf = (
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
export const listFactsOf = ({ dialect, db }: Store, workspaceId: number, ticketIds: readonly number[]) =>
  db
    .selectFrom('error_groups')
    .select(['ticket_id', 'exception', 'message', 'app', 'environment', 'framework', 'severity', 'count'])
    .where('workspace_id', '=', workspaceId)
    .where('ticket_id', 'in', jsonIds(dialect, ticketIds))
    .orderBy('id')
    .execute()

/** Reports per application since this day (UTC), highest first. */
export const countByApp = (db: Db, workspaceId: number, day: string) =>
  db
    .selectFrom('error_group_days')
    .innerJoin('error_groups', (join) =>
      join
        .onRef('error_groups.workspace_id', '=', 'error_group_days.workspace_id')
        .onRef('error_groups.id', '=', 'error_group_days.group_id'),
    )
    .select(({ fn }) => [
      'error_groups.app',
      fn.sum<number>('error_group_days.count').as('reports'),
      fn.count<number>('error_groups.id').distinct().as('kinds'),
    ])
    .where('error_group_days.workspace_id', '=', workspaceId)
    .where('error_group_days.day', '>=', day)
    .groupBy('error_groups.app')
    .orderBy('reports', 'desc')
    .limit(sql.lit(20))
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
