import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { deleteRow } from '../../store/delete-row.ts'
import { newestFirst } from '../../store/newest-first.ts'
import { whereEqual } from '../../store/where-equal.ts'
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

const listed = ['id', 'title', 'status', 'priority', 'project_id', 'ticket_id', 'assigned_to', 'created_at'] as const

/** Which tasks of a list; what is left out does not matter. */
export interface TaskFilter {
  readonly status?: string | undefined
  readonly assigned_to?: number | undefined
  readonly project_id?: number | undefined
  readonly ticket_id?: number | undefined
}

export const listPage = (db: Db, workspaceId: number, { limit, before, ...filter }: Page & TaskFilter) =>
  newestFirst(
    whereEqual(db.selectFrom('tasks').select(listed).where('workspace_id', '=', workspaceId), { ...filter }),
    { limit, before },
  ).execute()

export const listTags = async (db: Db, taskId: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('task_tags')
    .select('tag')
    .where('task_id', '=', taskId)
    .orderBy('position')
    .execute()
  return rows.map(({ tag }) => tag)
}

export const listSubtaskIds = async (db: Db, taskId: number): Promise<number[]> => {
  const rows = await db.selectFrom('tasks').select('id').where('parent_id', '=', taskId).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export async function countOpenIn(db: Db, projectId: number): Promise<number> {
  const { count } = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('project_id', '=', projectId)
    .where('status', '!=', 'done')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteTask(db: Db, workspaceId: number, id: number): Promise<boolean> {
  await db.deleteFrom('task_tags').where('task_id', '=', id).execute()
  return deleteRow(db, { table: 'tasks', workspaceId, id, refusal: 'Other tasks are below this task.' })
}
