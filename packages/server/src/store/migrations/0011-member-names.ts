import type { Migration } from './migration.ts'

/** What a workspace calls a person, whose own name it need not know. It stays when the person is removed. */
export const memberNames: Migration = {
  name: '0011-member-names',
  statements: ({ integer, endOfTable }) => [
    `create table member_names (
      workspace_id ${integer} not null references workspaces (id),
      user_id ${integer} not null references users (id),
      name text not null,
      primary key (workspace_id, user_id)
    ) ${endOfTable}`,
  ],
}
