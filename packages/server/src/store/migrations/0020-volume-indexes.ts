import type { Migration } from '../columns.ts'

/** Indexes for lists that read their whole workspace without them. */
export const volumeIndexes: Migration = {
  name: '0020-volume-indexes',
  isConcurrent: true,
  statements: () => [
    'create index tasks_status on tasks (workspace_id, status, id)',
    'create index accounts_name on accounts (workspace_id, lower(name), id)',
    'create index punches_workspace on punches (workspace_id, id)',
    // For the deletion of a device, which checks for punches.
    'create index punches_device on punches (device_id, workspace_id)',
    'create index attendance_sessions_workspace on attendance_sessions (workspace_id, check_in_punch_id)',
    'create index unmatched_punches_waiting on unmatched_punches (workspace_id, id) where replayed_at is null',
    // Few deliveries, and none when they are created.
    `create index deliveries_unsent on deliveries (workspace_id, state, id) where state in ('failed', 'held')`,
  ],
}
