import type { Migration } from '../columns.ts'

/** Tickets without a due time or an unmet SLA target are not in the indexes of these orders, so that creating one costs less. */
export const dueTickets: Migration = {
  name: '0012-due-tickets',
  statements: () => [
    'drop index tickets_sla_due',
    `create index tickets_sla_due on tickets (workspace_id, (${slaDueAt}), id) where ${slaDueAt} < 9000000000000000`,
    'drop index tickets_due',
    `create index tickets_due on tickets (workspace_id, (${dueDay}), id) where ${dueDay} < '9'`,
  ],
}

const slaDueAt = `case when resolved_at is not null then 9000000000000000
  when first_responded_at is null and first_response_due_at is not null
    and (resolution_due_at is null or first_response_due_at <= resolution_due_at) then first_response_due_at
  else coalesce(resolution_due_at, 9000000000000000) end`

const dueDay = "case when resolved_at is null and due_at is not null then due_at else '9' end"
