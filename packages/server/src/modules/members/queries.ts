import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'

const userColumns = ['users.id', 'users.name', 'users.email'] as const

/** Inserts the user, or finds the one with that e-mail. */
export const upsertUser = (db: Db, row: { name: string; email: string; created_at: number }) =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doUpdateSet((set) => ({ email: set.ref('excluded.email') })))
    .returning(['id', 'name', 'email'])
    .executeTakeFirstOrThrow()

/** False when the user is a member already. */
export async function insertMember(
  db: Db,
  row: { workspace_id: number; user_id: number; role: string; created_at: number },
): Promise<boolean> {
  const result = await db
    .insertInto('members')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute()
  return result.length > 0
}

const memberById = prepared<{ workspaceId: number; userId: number }, { id: number; name: string }>((db, param) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.name'])
    .where('members.workspace_id', '=', param('workspaceId'))
    .where('members.user_id', '=', param('userId')),
)

export const findMember = async (db: Db, workspaceId: number, userId: number) =>
  (await memberById(db, { workspaceId, userId }))[0]

export const listMembers = (db: Db, workspaceId: number) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([...userColumns, 'members.role', 'members.created_at'])
    .where('members.workspace_id', '=', workspaceId)
    .orderBy('users.id')
    .execute()

export const updateMember = (
  db: Db,
  { workspaceId, userId, role }: { workspaceId: number; userId: number; role: string },
) =>
  db
    .updateTable('members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()

export const updateUserName = (db: Db, userId: number, name: string) =>
  db.updateTable('users').set({ name }).where('id', '=', userId).execute()
