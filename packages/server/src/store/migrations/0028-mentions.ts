import type { Migration } from '../columns.ts'

/** Members mentioned in messages that they have not seen. */
export const mentions: Migration = {
  name: '0028-mentions',
  statements: ({ integer, reference, endOfTable }) => [
    `create table mentions (
      workspace_id ${integer} not null references workspaces (id), user_id ${integer} not null references users (id),
      ${reference('message_id', 'messages', 'not null')}, primary key (workspace_id, user_id, message_id)
    ) ${endOfTable}`,
  ],
}
