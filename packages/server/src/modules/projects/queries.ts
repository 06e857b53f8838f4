import type { FoundRows, SearchedPage } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { listFiltered } from '../../store/filtered-list.ts'
import { prepared } from '../../store/prepared.ts'
import { createSearch } from '../../store/record-search.ts'
import type { Store } from '../../store/store.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { ProjectsTable } from './table.ts'

const columns = ['id', 'name', 'status', 'color', 'starts_at', 'due_at', 'created_at'] as const
export type ProjectRow = Pick<ProjectsTable, 'name' | 'status' | 'color' | 'starts_at' | 'due_at' | 'created_at'> & {
  id: number
}

export const listPage = (
  store: Store,
  workspaceId: number,
  { search, ...page }: SearchedPage,
): Promise<FoundRows<ProjectRow>> =>
  listFiltered(store.dialect, {
    all: store.db.selectFrom('projects').select(columns).where('workspace_id', '=', workspaceId),
    search: createSearch(store, { table: 'projects', workspaceId, search }),
    page,
    orders: {},
    filters: {},
  })

export const insertProject = (db: Db, row: Omit<ProjectsTable, 'id'>): Promise<ProjectRow> =>
  db.insertInto('projects').values(row).returning(columns).executeTakeFirstOrThrow()

export const updateProject = (
  db: Db,
  { workspaceId, id }: RowRef,
  patch: Partial<Omit<ProjectsTable, 'id'>>,
): Promise<ProjectRow> =>
  db
    .updateTable('projects')
    .set(patch)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findProject = (db: Db, workspaceId: number, id: number): Promise<ProjectRow | undefined> =>
  db
    .selectFrom('projects')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

const name = prepared<RowRef, { id: number; name: string }>((db, param) =>
  db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '=', param('id')),
)

export const findName = async (db: Db, workspaceId: number, id: number) => (await name(db, { workspaceId, id }))[0]
