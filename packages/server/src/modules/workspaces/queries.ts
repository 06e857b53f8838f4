import type { Insertable, Updateable } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/list-query.ts'
import type { WorkspacesTable } from './table.ts'

const columns = ['id', 'name', 'time_zone', 'currency', 'created_at'] as const

export const insertWorkspace = (db: Db, row: Insertable<WorkspacesTable>) =>
  db.insertInto('workspaces').values(row).returning(columns).executeTakeFirstOrThrow()

export const findWorkspace = (db: Db, id: number) =>
  db.selectFrom('workspaces').select(columns).where('id', '=', id).executeTakeFirst()

export const updateWorkspace = (db: Db, id: number, patch: Updateable<WorkspacesTable>) =>
  db.updateTable('workspaces').set(patch).where('id', '=', id).returning(columns).executeTakeFirst()

export const countWorkspaces = async (db: Db): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('workspaces')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

export const listPage = (db: Db, page: Page) => newestFirst(db.selectFrom('workspaces').select(columns), page).execute()

export const listWorkspaces = (db: Db) => db.selectFrom('workspaces').select(columns).orderBy('id').execute()
