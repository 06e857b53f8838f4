import { maxListLength } from '@service/contract'
import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import type { ProjectsTable } from './table.ts'

const columns = ['id', 'name', 'status', 'color', 'starts_at', 'due_at', 'created_at'] as const
export type ProjectRow = Pick<ProjectsTable, 'name' | 'status' | 'color' | 'starts_at' | 'due_at' | 'created_at'> & {
  id: number
}

export const listNewest = (db: Db, workspaceId: number): Promise<ProjectRow[]> =>
  db
    .selectFrom('projects')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListLength)
    .execute()

export const insertProject = (db: Db, row: Omit<ProjectsTable, 'id'>): Promise<ProjectRow> =>
  db.insertInto('projects').values(row).returning(columns).executeTakeFirstOrThrow()

export const updateProject = (db: Db, id: number, patch: Partial<Omit<ProjectsTable, 'id'>>): Promise<ProjectRow> =>
  db.updateTable('projects').set(patch).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()

export const findProject = (db: Db, workspaceId: number, id: number): Promise<ProjectRow | undefined> =>
  db
    .selectFrom('projects')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

const name = prepared<{ workspaceId: number; id: number }, { id: number; name: string }>((db, param) =>
  db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '=', param('id')),
)

export const findName = async (db: Db, workspaceId: number, id: number) => (await name(db, { workspaceId, id }))[0]
