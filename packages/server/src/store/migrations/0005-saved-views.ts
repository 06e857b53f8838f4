import type { Migration } from '../columns.ts'

/** The named filters of a member. */
export const savedViews: Migration = {
  name: '0005-saved-views',
  statements: () => ["alter table members add column saved_views text not null default '[]'"],
}
