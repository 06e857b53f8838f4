import type { SelectQueryBuilder } from 'kysely'
import type { FoundRows, Page } from '../../core/pagination.ts'
import type { Database, Db } from '../../store/database.ts'
import { listFiltered } from '../../store/filtered-list.ts'
import type { Store } from '../../store/store.ts'
import type { AuditLogTable } from './table.ts'

export type AuditRow = Omit<AuditLogTable, 'id'> & { readonly id: number }

/** One change; `before` and `after` are JSON objects. */
export type NewAuditEntry = Omit<AuditLogTable, 'id' | 'at' | 'before_json' | 'after_json'> & {
  readonly before: string | null
  readonly after: string | null
}

export const insertEntry = (db: Db, row: Omit<AuditLogTable, 'id'>) => db.insertInto('audit_log').values(row).execute()

/** Filters of the audit log. Instants are stored microseconds. */
export interface AuditSelection {
  readonly workspaceId: number | undefined
  readonly actor: string | undefined
  readonly operation: string | undefined
  readonly since: number | undefined
  readonly until: number | undefined
}

function filterEntries(db: Db, { workspaceId, actor, operation, since, until }: AuditSelection) {
  let query = db.selectFrom('audit_log').selectAll()
  if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId)
  if (actor !== undefined) query = query.where('actor', '=', actor)
  if (operation !== undefined) query = query.where('operation', '=', operation)
  return within(query, { since, until })
}

const within = <Row>(
  entries: SelectQueryBuilder<Database, 'audit_log', Row>,
  { since, until }: Pick<AuditSelection, 'since' | 'until'>,
) =>
  entries
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? 0))
    .$if(until !== undefined, (query) => query.where('at', '<', until ?? 0))

/** Entries, newest first. */
export const listEntries = (
  { dialect, db }: Store,
  { workspaceId, actor, operation, since, until }: AuditSelection,
  page: Page,
): Promise<FoundRows<AuditRow>> =>
  listFiltered(dialect, {
    all: filterEntries(db, { workspaceId, actor: undefined, operation: undefined, since: undefined, until: undefined }),
    page,
    orders: {},
    filters: { actor, operation },
    where: (since ?? until) === undefined ? undefined : (entries) => within(entries, { since, until }),
  })

/** Entries after one id and up to another, oldest first. */
export const listBetween = (
  db: Db,
  selection: AuditSelection,
  at: { after: number; upTo: number },
): Promise<AuditRow[]> =>
  filterEntries(db, selection).where('id', '>', at.after).where('id', '<=', at.upTo).orderBy('id').execute()

/** The id of the entry that is `count` entries after an id, whatever the other filters; undefined if there are fewer. */
export async function findEndOfBatch(
  db: Db,
  workspaceId: number | undefined,
  at: { after: number; count: number },
): Promise<number | undefined> {
  const end = await db
    .selectFrom('audit_log')
    .select('id')
    .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId ?? 0))
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(1)
    .offset(at.count - 1)
    .executeTakeFirst()
  return end?.id
}

export const findOldest = (db: Db) => db.selectFrom('audit_log').select('at').orderBy('id').limit(1).executeTakeFirst()

/** The delete trigger only accepts rows that are older than this mark. */
export const markRemovable = (db: Db, before: number) =>
  db.updateTable('audit_retention').set({ removable_before: before }).execute()

/** Deletes the oldest removable entries and returns how many there were. */
export async function deleteBatch(db: Db, before: number, limit: number): Promise<number> {
  const removed = await db
    .deleteFrom('audit_log')
    .where('at', '<', before)
    .where('id', 'in', (where) => where.selectFrom('audit_log').select('id').orderBy('id').limit(limit))
    .returning('id')
    .execute()
  return removed.length
}
