import type { Migration } from '../columns.ts'

/** Disabled workspaces, and the names of the records in the audit log. */
export const administration: Migration = {
  name: '0009-administration',
  statements: ({ integer }) => [
    `alter table workspaces add column disabled_at ${integer}`,
    'alter table audit_log add column resource_name text',
  ],
}
