import type { Selectable } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import { deleteRow, refuseDuplicate } from '../../store/constraint.ts'
import type { Db } from '../../store/database.ts'
import { listFiltered } from '../../store/filtered-list.ts'
import { memberName, newestFirst, originName, whereEqual } from '../../store/list-query.ts'
import { createSearch } from '../../store/record-search.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelsTable, MentionsTable, MessagesTable } from './table.ts'

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
export const renameChannel = (db: Db, { workspaceId, id, name }: { workspaceId: number; id: number; name: string }) =>
  refuseDuplicate(
    db
      .updateTable('channels')
      .set({ name })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .returning(['id', 'name'])
      .executeTakeFirst(),
    'A channel with this name exists already.',
  )

export const deleteChannel = (db: Db, workspaceId: number, id: number) =>
  deleteRow(db, { table: 'channels', workspaceId, id, refusal: 'The channel has messages.' })

const inWorkspace = (db: Db, workspaceId: number) =>
  db.selectFrom('channels').select(['id', 'name']).where('workspace_id', '=', workspaceId)

export const listChannels = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(inWorkspace(db, workspaceId), page).execute()

export const findFirstChannel = (db: Db, workspaceId: number) =>
  inWorkspace(db, workspaceId).orderBy('id').limit(1).executeTakeFirst()

export type MessageRow = Selectable<MessagesTable>

export const insertMessage = async (db: Db, row: Omit<MessagesTable, 'id'>) =>
  (await db.insertInto('messages').values(row).returning('id').executeTakeFirstOrThrow()).id

/** Filters for messages. Omitted fields match everything. */
export interface MessageFilter {
  readonly channel_id?: number | undefined
  readonly ticket_id?: number | undefined
  readonly search?: string | undefined
}

const messagesWithAuthors = (db: Db, workspaceId: number) =>
  db
    .selectFrom('messages')
    .leftJoin('users as author', 'author.id', 'messages.author_id')
    .select(['messages.id', 'channel_id', 'author_id', 'origin', 'origin_id'])
    .select(['ticket_id', 'body', 'messages.created_at', originName(workspaceId, 'messages').as('origin_name')])
    .select(memberName<string | null>(workspaceId, 'author').as('author_name'))
    .where('messages.workspace_id', '=', workspaceId)

export const listMessages = (
  store: Store,
  { workspaceId, search, ...filters }: MessageFilter & { readonly workspaceId: number },
  page: Page,
) =>
  listFiltered(store.dialect, {
    all: messagesWithAuthors(store.db, workspaceId),
    search: createSearch(store, { table: 'messages', workspaceId, search }),
    page,
    orders: {},
    id: 'messages.id',
    filters: { ...filters },
    indexed: ['ticket_id', 'channel_id'],
  })

interface Mentioned {
  readonly workspaceId: number
  readonly userId: number
}

export const insertMentions = (db: Db, rows: readonly MentionsTable[]) =>
  db
    .insertInto('mentions')
    .values([...rows])
    .execute()

/** The newest messages that mention a person. */
export const listMentions = (db: Db, { workspaceId, userId }: Mentioned, limit: number) =>
  messagesWithAuthors(db, workspaceId)
    .innerJoin('mentions', 'mentions.message_id', 'messages.id')
    .where('mentions.workspace_id', '=', workspaceId)
    .where('mentions.user_id', '=', userId)
    .orderBy('mentions.message_id', 'desc')
    .limit(limit)
    .execute()

const deleteMentionsOfUser = (db: Db, { workspaceId, userId }: Mentioned) =>
  db.deleteFrom('mentions').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)

/** Returns undefined if the message does not mention the person. */
export const deleteMention = (db: Db, mentioned: Mentioned, messageId: number) =>
  deleteMentionsOfUser(db, mentioned).where('message_id', '=', messageId).returning('message_id').executeTakeFirst()

/** Deletes those in a conversation: about a ticket or, without one, in a channel. */
export const deleteMentionsIn = (
  db: Db,
  mentioned: Mentioned,
  { ticket_id, channel_id }: Pick<MessagesTable, 'ticket_id' | 'channel_id'>,
) =>
  deleteMentionsOfUser(db, mentioned)
    .where(({ exists, selectFrom }) =>
      exists(
        // By the id of each mention: a channel may have a million messages.
        whereEqual(
          selectFrom('messages')
            .select('messages.id')
            .where('messages.workspace_id', '=', mentioned.workspaceId)
            .whereRef('messages.id', '=', 'mentions.message_id'),
          ticket_id === null ? { ticket_id, channel_id } : { ticket_id },
        ),
      ),
    )
    .execute()
