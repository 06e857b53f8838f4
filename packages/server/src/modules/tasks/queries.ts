import type { TaskQuery } from '@service/contract/admin/work-input'
import { sql } from 'kysely'
import { deleteRow } from '../../store/constraint.ts'
import type { Db } from '../../store/database.ts'
import { listFiltered } from '../../store/filtered-list.ts'
import { idOrNull, integerKey, originName, priorityRank, rankKey, type SortOrder } from '../../store/list-query.ts'
import { createSearch } from '../../store/record-search.ts'
import type { Store } from '../../store/store.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { TasksTable } from './table.ts'

export type NewTaskRow = Omit<TasksTable, 'id'>

export async function insertTask(db: Db, row: NewTaskRow): Promise<number> {
  return (await db.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow()).id
}

export const findTask = (db: Db, workspaceId: number, id: number) =>
  db.selectFrom('tasks').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

/** The name of what created a task without an author. */
export const findOriginName = async (db: Db, { workspaceId, id }: RowRef) => {
  const query = db.selectFrom('tasks').select(originName(workspaceId, 'tasks').as('name'))
  return (await query.where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst())?.name ?? null
}

export const updateTask = (db: Db, { workspaceId, id }: RowRef, patch: Partial<NewTaskRow>) =>
  db
    .updateTable('tasks')
    .set(patch)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const listed = [
  'id',
  'title',
  'status',
  'priority',
  'project_id',
  'ticket_id',
  'assigned_to',
  'due_at',
  'created_at',
] as const

const orders = {
  priority: {
    key: sql<number>`(case status when 'done' then 10 else 0 end + ${sql.raw(priorityRank)})`,
    direction: 'asc',
    pattern: rankKey,
  },
  due: {
    key: sql<number>`case when status = 'done' or due_at is null then 9000000000000000 else due_at end`,
    direction: 'asc',
    pattern: integerKey,
  },
} as const satisfies Record<NonNullable<TaskQuery['sort']>, SortOrder>

export const listPage = (
  store: Store,
  workspaceId: number,
  { assigned_to, status, priority, project_id, ticket_id, search, ...page }: TaskQuery,
) =>
  listFiltered(store.dialect, {
    all: store.db.selectFrom('tasks').select(listed).where('workspace_id', '=', workspaceId),
    search: createSearch(store, { table: 'tasks', workspaceId, search }),
    page,
    orders,
    filters: { status, priority, assigned_to: idOrNull(assigned_to), project_id, ticket_id },
    // Tasks without an assignee are not in that index.
    indexed: ['ticket_id', 'project_id', ...(assigned_to === 'none' ? [] : ['assigned_to']), 'status'],
  })

export const listSubtaskIds = async (db: Db, { workspaceId, id }: RowRef): Promise<number[]> => {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('parent_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function countOpenIn(db: Db, project: RowRef): Promise<number> {
  const { count } = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('workspace_id', '=', project.workspaceId)
    .where('project_id', '=', project.id)
    .where('status', '!=', 'done')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const deleteTask = (db: Db, workspaceId: number, id: number): Promise<boolean> =>
  deleteRow(db, { table: 'tasks', workspaceId, id, refusal: 'The task has subtasks.' })
