import { maxListLength } from '@service/contract'
import type { Db } from '../../store/database.ts'
import type { TasksTable } from './table.ts'

export type NewTaskRow = Omit<TasksTable, 'id'>

export async function insertTask(db: Db, row: NewTaskRow): Promise<number> {
  return (await db.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow()).id
}

export async function insertTags(db: Db, taskId: number, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  await db
    .insertInto('task_tags')
    .values(tags.map((tag, position) => ({ task_id: taskId, position, tag })))
    .execute()
}

export const findTask = (db: Db, workspaceId: number, id: number) =>
  db.selectFrom('tasks').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const updateTask = (db: Db, id: number, patch: Partial<NewTaskRow>) =>
  db.updateTable('tasks').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const listNewest = (db: Db, workspaceId: number) =>
  db
    .selectFrom('tasks')
    .select(['id', 'title', 'status', 'priority', 'project_id', 'ticket_id', 'assigned_to', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListLength)
    .execute()
