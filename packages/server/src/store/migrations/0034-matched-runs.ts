import type { Migration } from '../columns.ts'

/** An index for the runs of rules whose conditions matched, which are few. */
export const matchedRuns: Migration = {
  name: '0034-matched-runs',
  isConcurrent: true,
  statements: () => [
    "create index automation_runs_matched on automation_runs (workspace_id, id) where outcome <> 'not_matched'",
  ],
}
