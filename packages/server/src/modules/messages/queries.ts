import { conflict } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { deleteRow, isUniqueViolation } from '../../store/constraint.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst, whereEqual } from '../../store/list-query.ts'
import type { ChannelsTable, MessagesTable } from './table.ts'

/** Returns undefined if the workspace has a channel with that name. */
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

/** Returns undefined if the channel does not exist. A taken name is a conflict. */
export async function renameChannel(
  db: Db,
  { workspaceId, id, name }: { workspaceId: number; id: number; name: string },
) {
  try {
    return await db
      .updateTable('channels')
      .set({ name })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .returning(['id', 'name'])
      .executeTakeFirst()
  } catch (fault) {
    throw isUniqueViolation(fault) ? conflict('A channel with this name exists already.') : fault
  }
}

export const deleteChannel = (db: Db, workspaceId: number, id: number) =>
  deleteRow(db, { table: 'channels', workspaceId, id, refusal: 'The channel has messages.' })

const inWorkspace = (db: Db, workspaceId: number) =>
  db.selectFrom('channels').select(['id', 'name']).where('workspace_id', '=', workspaceId)

export const listChannels = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(inWorkspace(db, workspaceId), page).execute()

export const findFirstChannel = (db: Db, workspaceId: number) =>
  inWorkspace(db, workspaceId).orderBy('id').limit(1).executeTakeFirst()

export const insertMessage = async (db: Db, row: Omit<MessagesTable, 'id'>) =>
  (await db.insertInto('messages').values(row).returning('id').executeTakeFirstOrThrow()).id

/** Filters for messages. Omitted fields match everything. */
export interface MessageFilter {
  readonly channel_id?: number | undefined
  readonly ticket_id?: number | undefined
}

export const listMessages = (
  db: Db,
  { workspaceId, ...filter }: MessageFilter & { workspaceId: number },
  page: Page,
) => {
  const messages = db
    .selectFrom('messages')
    .select(['id', 'channel_id', 'author_id', 'ticket_id', 'body', 'created_at'])
    .where('workspace_id', '=', workspaceId)
  return newestFirst(whereEqual(messages, { ...filter }), page).execute()
}
