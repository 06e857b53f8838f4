import type { Migration } from '../columns.ts'

/** Who created a one-time link: it ends when they lose the right to create one. */
export const linkCreators: Migration = {
  name: '0015-link-creators',
  statements: ({ integer }) => [`alter table one_time_links add column created_by ${integer}`],
}
