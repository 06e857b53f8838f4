import type { Migration } from '../columns.ts'

/** The workspace that a link invites to. */
export const invitations: Migration = {
  name: '0026-invitations',
  statements: ({ integer }) => [`alter table one_time_links add column invited_to ${integer}`],
}
