import type { Migration } from '../columns.ts'

/** The orders of ticket lists. Resolved tickets follow the others, except in order of the last update. */
export const ticketTriage: Migration = {
  name: '0003-ticket-triage',
  statements: () => [
    `create index tickets_priority on tickets (workspace_id, (case when resolved_at is null then 0 else 10 end +
      case priority when 'urgent' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end), id)`,
    `create index tickets_sla_due on tickets (workspace_id, (case when resolved_at is not null then 9000000000000000
      when first_responded_at is null and first_response_due_at is not null
        and (resolution_due_at is null or first_response_due_at <= resolution_due_at) then first_response_due_at
      else coalesce(resolution_due_at, 9000000000000000) end), id)`,
    `create index tickets_due on tickets (workspace_id,
      (case when resolved_at is null and due_at is not null then due_at else '9' end), id)`,
    'create index tickets_updated on tickets (workspace_id, updated_at, id)',
    'drop index tickets_responses_waiting',
    'drop index tickets_resolutions_waiting',
  ],
}
