import type { ActivityQuery } from '@service/contract/admin/git'
import { nextSlice } from '../../core/next-turn.ts'
import type { Db } from '../../store/database.ts'
import { listFiltered } from '../../store/filtered-list.ts'
import type { Store } from '../../store/store.ts'
import type { ActivitiesTable, GitDeliveriesTable, GitIssueTicketsTable } from './table.ts'

export type NewActivityRow = Omit<ActivitiesTable, 'id'>
type IssueKey = Pick<GitIssueTicketsTable, 'workspace_id' | 'provider' | 'repository_key' | 'issue_key'>
type ClaimedIssue = Omit<GitIssueTicketsTable, 'ticket_id'>

/** Returns undefined for a duplicate delivery. */
export const insertDelivery = (db: Db, row: Omit<GitDeliveriesTable, 'id'>) =>
  db
    .insertInto('git_deliveries')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider', 'delivery_id']).doNothing())
    .returning('id')
    .executeTakeFirst()

/** Both databases limit the number of bound parameters per statement. */
const rowsPerInsert = 200

export async function insertActivities(db: Db, rows: readonly NewActivityRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await db
      .insertInto('activities')
      .values(rows.slice(from, from + rowsPerInsert))
      .execute()
    if (rows.length > rowsPerInsert) await nextSlice('first')
  }
}

/** Returns true for the first claim of an issue. */
export async function claimIssue(db: Db, issue: ClaimedIssue): Promise<boolean> {
  const claimed = await db
    .insertInto('git_issue_tickets')
    .values({ ...issue, ticket_id: null })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider', 'repository_key', 'issue_key']).doNothing())
    .returning('issue_key')
    .execute()
  return claimed.length > 0
}

export const findTicketIssue = (db: Db, workspaceId: number, ticketId: number) =>
  db
    .selectFrom('git_issue_tickets')
    .select(['provider', 'repository', 'issue', 'url'])
    .where('workspace_id', '=', workspaceId)
    .where('ticket_id', '=', ticketId)
    .executeTakeFirst()

export const linkIssue = (db: Db, key: IssueKey, ticketId: number) =>
  db
    .updateTable('git_issue_tickets')
    .set({ ticket_id: ticketId })
    .where('workspace_id', '=', key.workspace_id)
    .where('provider', '=', key.provider)
    .where('repository_key', '=', key.repository_key)
    .where('issue_key', '=', key.issue_key)
    .execute()

export const listActivities = (
  { dialect, db }: Store,
  workspaceId: number,
  { provider, repository, ...page }: ActivityQuery,
) =>
  listFiltered(dialect, {
    all: db.selectFrom('activities').selectAll().where('workspace_id', '=', workspaceId),
    page,
    orders: {},
    filters: { provider, repository },
    indexed: ['repository', 'provider'],
  })
