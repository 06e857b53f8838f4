import type { Migration } from './migration.ts'

/** What was resolved lately, and what was reported, is counted at each look at the overview. */
export const overview: Migration = {
  name: '0010-overview',
  statements: () => [
    'create index tickets_resolved on tickets (workspace_id, resolved_at) where resolved_at is not null',
    `create index tickets_responses_waiting on tickets (workspace_id, first_response_due_at)
      where first_response_due_at is not null and first_responded_at is null`,
    `create index tickets_resolutions_waiting on tickets (workspace_id, resolution_due_at)
      where resolution_due_at is not null and resolved_at is null`,
    'create index error_group_days_day on error_group_days (workspace_id, day)',
  ],
}
