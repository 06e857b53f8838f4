import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { forEachRow } from '../../store/each-row.ts'
import { jsonIds } from '../../store/json-ids.ts'
import type { Store } from '../../store/store.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { GroupRow } from './queries.ts'

interface KeptReport {
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

/** A row that gives up its slot goes, so that ids grow with time and retention finds the oldest first. */
const clearSlots = forEachRow<KeptReport>(
  types,
  ({ of, from }) =>
    sql`delete from error_samples where (workspace_id, group_id, slot) in (
      select ${of('workspace_id')}, ${of('group_id')}, ${of('slot')} ${from})`,
)

const insertSamples = forEachRow<KeptReport>(
  types,
  ({ of, from }) => sql`insert into error_samples (workspace_id, group_id, slot, sample, seen_at)
    select ${of('workspace_id')}, ${of('group_id')}, ${of('slot')}, ${of('sample')}, ${of('seen_at')} ${from}`,
)

const countDays = forEachRow<KeptReport>(
  types,
  ({ of, from }) => sql`insert into error_group_days (workspace_id, group_id, day, count, last_seen_at)
    select ${of('workspace_id')}, ${of('group_id')}, ${of('day')}, 1, ${of('seen_at')} ${from} where true
    on conflict (workspace_id, group_id, day) do update
    set count = error_group_days.count + 1, last_seen_at = excluded.last_seen_at`,
)

/** Each report has a group of its own: what is locked for one is not asked for twice. */
export async function keepReports(store: Store, reports: readonly KeptReport[]): Promise<void> {
  await clearSlots(store, reports)
  await insertSamples(store, reports)
  await countDays(store, reports)
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

/** What the latest report said of each error that is counted on one of these tickets. */
export const listFactsOf = ({ dialect, db }: Store, workspaceId: number, ticketIds: readonly number[]) =>
  db
    .selectFrom('error_groups')
    .select(['ticket_id', 'exception', 'message', 'app', 'environment', 'framework', 'severity', 'count'])
    .where('workspace_id', '=', workspaceId)
    .where('ticket_id', 'in', jsonIds(dialect, ticketIds))
    .orderBy('id')
    .execute()
