import type { Page } from '../../page.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'
import type { AutomationRulesTable, AutomationRunsTable, SlaPoliciesTable } from './table.ts'

export type RuleRow = Omit<AutomationRulesTable, 'id'> & { id: number }

export const insertRule = (db: Db, row: Omit<AutomationRulesTable, 'id'>): Promise<RuleRow> =>
  db.insertInto('automation_rules').values(row).returningAll().executeTakeFirstOrThrow()

export const updateRule = (
  db: Db,
  { workspaceId, id }: { workspaceId: number; id: number },
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

export const listPolicies = (db: Db, workspaceId: number) =>
  db.selectFrom('sla_policies').selectAll().where('workspace_id', '=', workspaceId).orderBy('priority').execute()

export const insertRun = (db: Db, row: Omit<AutomationRunsTable, 'id'>) =>
  db.insertInto('automation_runs').values(row).execute()

export const listRuns = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(db.selectFrom('automation_runs').selectAll().where('workspace_id', '=', workspaceId), page).execute()
