import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'

const columns = ['id', 'name', 'email', 'password_hash', 'is_instance_admin', 'disabled_at', 'created_at'] as const

export interface UserRow {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly password_hash: string | null
  readonly is_instance_admin: number
  readonly disabled_at: number | null
  readonly created_at: number
}

interface NewRow {
  readonly name: string
  readonly email: string
  readonly is_instance_admin: number
  readonly password_hash?: string
  readonly created_at: number
}

const users = (db: Db) => db.selectFrom('users').select(columns)

/** Nothing when somebody has this e-mail address. */
export const insertUser = (db: Db, row: NewRow): Promise<UserRow | undefined> =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(columns)
    .executeTakeFirst()

export const findUser = (db: Db, id: number): Promise<UserRow | undefined> =>
  users(db).where('id', '=', id).executeTakeFirst()

export const findByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  users(db).where('email', '=', email).executeTakeFirst()

export const listUsers = (db: Db, page: Page): Promise<UserRow[]> => newestFirst(users(db), page).execute()

export const updateUser = (db: Db, id: number, patch: Partial<Omit<UserRow, 'id'>>): Promise<UserRow | undefined> =>
  db.updateTable('users').set(patch).where('id', '=', id).returning(columns).executeTakeFirst()

/** Whether anybody can sign in. */
export const findAnyPassword = (db: Db) =>
  db.selectFrom('users').select('id').where('password_hash', 'is not', null).limit(1).executeTakeFirst()

export const insertLink = (
  db: Db,
  row: { code_hash: string; purpose: string; user_id: number | null; expires_at: number },
) => db.insertInto('one_time_links').values(row).execute()

export const findLink = (db: Db, code_hash: string, purpose: string) =>
  db
    .selectFrom('one_time_links')
    .select(['user_id', 'expires_at'])
    .where('code_hash', '=', code_hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()

/** Of two who use it at the same moment only one gets it. */
export const takeLink = (db: Db, code_hash: string, purpose: string) =>
  db
    .deleteFrom('one_time_links')
    .where('code_hash', '=', code_hash)
    .where('purpose', '=', purpose)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst()

export const deleteExpiredLinks = (db: Db, now: number) =>
  db.deleteFrom('one_time_links').where('expires_at', '<=', now).execute()

/** All of them in one statement, so that of two who use links at the same moment only one finds any. */
export const takeLinks = (db: Db, at: { purpose: string; userId: number | null }) =>
  db
    .deleteFrom('one_time_links')
    .where('purpose', '=', at.purpose)
    .where((where) => (at.userId === null ? where('user_id', 'is', null) : where('user_id', '=', at.userId)))
    .returning('code_hash')
    .execute()
