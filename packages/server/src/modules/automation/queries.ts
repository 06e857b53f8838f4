import { sql } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/list-query.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { AutomationRulesTable, AutomationRunsTable, SlaPoliciesTable } from './table.ts'

export type RuleRow = Omit<AutomationRulesTable, 'id'> & { id: number }

export const insertRule = (db: Db, row: Omit<AutomationRulesTable, 'id'>): Promise<RuleRow> =>
  db.insertInto('automation_rules').values(row).returningAll().executeTakeFirstOrThrow()

export const updateRule = (
  db: Db,
  { workspaceId, id }: RowRef,
  patch: Partial<Omit<AutomationRulesTable, 'id'>>,
): Promise<RuleRow | undefined> =>
  db
    .updateTable('automation_rules')
    .set(patch)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const listRules = (db: Db, workspaceId: number): Promise<RuleRow[]> =>
  db.selectFrom('automation_rules').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute()

export const listRulesPage = (db: Db, workspaceId: number, page: Page): Promise<RuleRow[]> =>
  newestFirst(db.selectFrom('automation_rules').selectAll().where('workspace_id', '=', workspaceId), page).execute()

export const findRule = (db: Db, workspaceId: number, id: number): Promise<RuleRow | undefined> =>
  db
    .selectFrom('automation_rules')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function deleteRule(db: Db, workspaceId: number, id: number): Promise<void> {
  await db.deleteFrom('automation_runs').where('workspace_id', '=', workspaceId).where('rule_id', '=', id).execute()
  await db.deleteFrom('automation_rules').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export const upsertPolicy = (db: Db, row: SlaPoliciesTable) =>
  db
    .insertInto('sla_policies')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'priority']).doUpdateSet({
        first_response_minutes: row.first_response_minutes,
        resolution_minutes: row.resolution_minutes,
        updated_at: row.updated_at,
      }),
    )
    .execute()

export const deletePolicy = (db: Db, workspaceId: number, priority: string) =>
  db.deleteFrom('sla_policies').where('workspace_id', '=', workspaceId).where('priority', '=', priority).execute()

export const listPolicies = (db: Db, workspaceId: number) =>
  db.selectFrom('sla_policies').selectAll().where('workspace_id', '=', workspaceId).orderBy('priority').execute()

export const insertRun = (db: Db, row: Omit<AutomationRunsTable, 'id'>) =>
  db.insertInto('automation_runs').values(row).execute()

/** Rule runs on a ticket, refused ones included, newest first. */
export const listTicketRuns = (db: Db, ticket: RowRef, limit: number) =>
  db
    .selectFrom('automation_runs')
    .select(['rule_id', 'outcome', 'detail', 'ran_at'])
    .where('workspace_id', '=', ticket.workspaceId)
    .where('ticket_id', '=', ticket.id)
    .where('outcome', 'in', ['ran', 'refused'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const listRuns = (
  db: Db,
  { workspaceId, isMatched }: { readonly workspaceId: number; readonly isMatched: boolean },
  page: Page,
) =>
  newestFirst(
    db
      .selectFrom('automation_runs')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      // A parameter would not match the partial index.
      .$if(isMatched, (runs) => runs.where(sql<boolean>`outcome <> 'not_matched'`)),
    page,
  ).execute()
