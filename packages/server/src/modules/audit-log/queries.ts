import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/list-query.ts'
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
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  return query
}

export const listEntries = (db: Db, selection: AuditSelection, page: Page): Promise<AuditRow[]> =>
  newestFirst(filterEntries(db, selection), page).execute()

/** Entries after an id, oldest first. */
export const listAfter = (
  db: Db,
  selection: AuditSelection,
  at: { after: number; limit: number },
): Promise<AuditRow[]> =>
  filterEntries(db, selection).where('id', '>', at.after).orderBy('id').limit(at.limit).execute()

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
