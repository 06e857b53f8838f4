import type { Migration } from '../columns.ts'

/** The unresolved tickets of each assignee, and those without one. */
export const activeAssignees: Migration = {
  name: '0008-active-assignees',
  statements: () => [
    'create index tickets_active_assignee on tickets (workspace_id, assigned_to, number) where resolved_at is null',
  ],
}
