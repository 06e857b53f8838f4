import type { Page } from '../../page.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'
import type { ActivitiesTable, GitDeliveriesTable, GitIssueTicketsTable } from './table.ts'

export type NewActivityRow = Omit<ActivitiesTable, 'id'>
type IssueKey = Omit<GitIssueTicketsTable, 'ticket_id'>

/** Nothing when this delivery has come before. */
export const insertDelivery = (db: Db, row: Omit<GitDeliveriesTable, 'id'>) =>
  db
    .insertInto('git_deliveries')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider', 'delivery_id']).doNothing())
    .returning('id')
    .executeTakeFirst()

/** Both databases limit how many values one statement may carry. */
const rowsPerInsert = 200

export async function insertActivities(db: Db, rows: readonly NewActivityRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await db
      .insertInto('activities')
      .values(rows.slice(from, from + rowsPerInsert))
      .execute()
  }
}

/** True for whoever comes first with this issue. */
export async function claimIssue(db: Db, key: IssueKey): Promise<boolean> {
  const claimed = await db
    .insertInto('git_issue_tickets')
    .values({ ...key, ticket_id: null })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider', 'repository_key', 'issue_key']).doNothing())
    .returning('issue_key')
    .execute()
  return claimed.length > 0
}

export const linkIssue = (db: Db, key: IssueKey, ticketId: number) =>
  db
    .updateTable('git_issue_tickets')
    .set({ ticket_id: ticketId })
    .where('workspace_id', '=', key.workspace_id)
    .where('provider', '=', key.provider)
    .where('repository_key', '=', key.repository_key)
    .where('issue_key', '=', key.issue_key)
    .execute()

export const listActivities = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(db.selectFrom('activities').selectAll().where('workspace_id', '=', workspaceId), page).execute()
