import type { Migration } from '../columns.ts'

/** The named filters that everyone in a workspace sees. */
export const sharedViews: Migration = {
  name: '0032-shared-views',
  statements: ({ idInWorkspace, integer, endOfTable }) => [
    `create table shared_views (
      ${idInWorkspace}, list text not null, name text not null, query text not null,
      shared_by ${integer} references users (id), created_at ${integer} not null
    ) ${endOfTable}`,
    'create unique index shared_views_name on shared_views (workspace_id, list, name)',
  ],
}
