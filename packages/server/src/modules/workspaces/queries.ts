import type { Insertable, Updateable } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/list-query.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'
import type { WorkspacesTable } from './table.ts'

const columns = ['id', 'name', 'time_zone', 'currency', 'disabled_at', 'created_at'] as const

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

/** The owners, and the number of members, of these workspaces. */
export async function listOwnersAndCounts(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return { owners: [], counts: [] }
  const members = db.selectFrom('members').where('members.workspace_id', 'in', ids)
  const owners = await members
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.workspace_id', 'users.id', 'users.name'])
    .where('members.role', '=', 'owner')
    .orderBy('users.id')
    .modifyEnd(acrossWorkspaces('membership'))
    .execute()
  const counts = await members
    .select(({ fn }) => ['workspace_id', fn.countAll().as('count')])
    .groupBy('workspace_id')
    .modifyEnd(acrossWorkspaces('membership'))
    .execute()
  return { owners, counts }
}

export const listWorkspaces = (db: Db) => db.selectFrom('workspaces').select(columns).orderBy('id').execute()
