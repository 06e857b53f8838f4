import type { Migration } from '../columns.ts'

/** The orders of the lists of tasks, deals, and leads. */
export const listOrders: Migration = {
  name: '0013-list-orders',
  statements: () => [
    `create index tasks_priority on tasks (workspace_id, (case status when 'done' then 10 else 0 end +
      case priority when 'urgent' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end), id)`,
    `create index tasks_due on tasks (workspace_id,
      (case when status = 'done' or due_at is null then 9000000000000000 else due_at end), id)`,
    'create index deals_amount on deals (workspace_id, (coalesce(amount, -1)), id)',
    `create index deals_close on deals (workspace_id,
      (case when stage in ('won', 'lost') or expected_close_at is null then '9' else expected_close_at end), id)`,
    'create index leads_value on leads (workspace_id, (coalesce(estimated_value, -1)), id)',
  ],
}
