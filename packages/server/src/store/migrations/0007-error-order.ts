import type { Migration } from '../columns.ts'

/** The order of error lists: the last report first. */
export const errorOrder: Migration = {
  name: '0007-error-order',
  statements: () => ['create index error_groups_last_seen on error_groups (workspace_id, last_seen_at, id)'],
}
