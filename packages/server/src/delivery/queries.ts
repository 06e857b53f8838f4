import type { Db } from '../store/database.ts'
import { prepared } from '../store/prepared.ts'
import type { EventsTable } from './table.ts'

const insert = prepared<Omit<EventsTable, 'id'>, { id: number }>((db, param) =>
  db
    .insertInto('events')
    .values({
      workspace_id: param('workspace_id'),
      name: param('name'),
      body: param('body'),
      created_at: param('created_at'),
    })
    .returning('id'),
)

export const insertEvent = (db: Db, row: Omit<EventsTable, 'id'>) => insert(db, row)

/** Oldest first. */
export const listEvents = (db: Db, workspaceId: number) =>
  db
    .selectFrom('events')
    .select(['id', 'name', 'body', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
