import type { Migration } from './migration.ts'

/** Channels and what people post in them. */
export const messages: Migration = {
  name: '0004-messages',
  statements: ({ idInWorkspace, reference, integer, endOfTable }) => [
    `create table channels (
      ${idInWorkspace}, name text not null, created_at ${integer} not null
    ) ${endOfTable}`,
    'create unique index channels_name on channels (workspace_id, name)',

    `create table messages (
      ${idInWorkspace},
      ${reference('channel_id', 'channels', 'not null')}, author_id ${integer} references users (id),
      body text not null, created_at ${integer} not null
    ) ${endOfTable}`,
    'create index messages_channel on messages (channel_id, id desc)',
  ],
}
