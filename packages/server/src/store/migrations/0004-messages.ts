import type { Migration } from './migration.ts'

/** Channels and what people post in them. */
export const messages: Migration = {
  name: '0004-messages',
  statements: ({ id, integer, endOfTable }) => [
    `create table channels (
      ${id}, workspace_id ${integer} not null references workspaces (id), name text not null, created_at ${integer} not null
    ) ${endOfTable}`,
    'create unique index channels_name on channels (workspace_id, name)',

    `create table messages (
      ${id}, workspace_id ${integer} not null references workspaces (id),
      channel_id ${integer} not null references channels (id), author_id ${integer} references users (id),
      body text not null, created_at ${integer} not null
    ) ${endOfTable}`,
    'create index messages_channel on messages (channel_id, id desc)',
  ],
}
