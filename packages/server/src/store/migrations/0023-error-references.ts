import type { Migration } from '../columns.ts'

/** SQLite looks up the rows of an error by the error alone when it is joined with another. */
export const errorReferences: Migration = {
  name: '0023-error-references',
  statements: ({ dialect }) =>
    dialect === 'sqlite'
      ? [
          'drop index error_samples_slot',
          'create unique index error_samples_slot on error_samples (group_id, slot, workspace_id)',
          'create index error_group_days_group on error_group_days (group_id)',
        ]
      : [],
}
