import type { Page } from '../../page.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'
import type { ChannelsTable, MessagesTable } from './table.ts'

/** Nothing when the workspace has a channel of that name. */
export const insertChannel = (db: Db, row: Omit<ChannelsTable, 'id'>) =>
  db
    .insertInto('channels')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst()

export const findChannel = (db: Db, workspaceId: number, id: number) =>
  db
    .selectFrom('channels')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const listChannels = (db: Db, workspaceId: number) =>
  db.selectFrom('channels').select(['id', 'name']).where('workspace_id', '=', workspaceId).orderBy('id').execute()

export const insertMessage = async (db: Db, row: Omit<MessagesTable, 'id'>) =>
  (await db.insertInto('messages').values(row).returning('id').executeTakeFirstOrThrow()).id

export const listMessages = (
  db: Db,
  { workspaceId, channelId }: { workspaceId: number; channelId: number },
  page: Page,
) =>
  newestFirst(
    db
      .selectFrom('messages')
      .select(['id', 'channel_id', 'author_id', 'body', 'created_at'])
      .where('workspace_id', '=', workspaceId)
      .where('channel_id', '=', channelId),
    page,
  ).execute()
