import type { User } from '@service/contract/admin/users'
import { formatInstant, formatInstantOrNull } from '../../core/clock.ts'
import type { Page } from '../../core/pagination.ts'
import { toBoolean } from '../../store/columns.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/list-query.ts'

const userColumns = [
  'id',
  'name',
  'email',
  'password_hash',
  'is_instance_admin',
  'disabled_at',
  'hides_first_steps',
  'created_at',
] as const

export interface UserRow {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly password_hash: string | null
  readonly is_instance_admin: number
  readonly hides_first_steps: number
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

const users = (db: Db) => db.selectFrom('users').select(userColumns)

/** Returns undefined if the e-mail address is taken. */
export const insertUser = (db: Db, row: NewRow): Promise<UserRow | undefined> =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(userColumns)
    .executeTakeFirst()

export const findUser = (db: Db, id: number): Promise<UserRow | undefined> =>
  users(db).where('id', '=', id).executeTakeFirst()

export const findByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  users(db).where('email', '=', email).executeTakeFirst()

export const listUsers = (db: Db, page: Page): Promise<UserRow[]> => newestFirst(users(db), page).execute()

/** For a new name, call `renamePerson`. */
export const updateUser = (
  db: Db,
  id: number,
  patch: Partial<Omit<UserRow, 'id' | 'name'>>,
): Promise<UserRow | undefined> =>
  db.updateTable('users').set(patch).where('id', '=', id).returning(userColumns).executeTakeFirst()

/** Whether anyone has a password. */
export const findAnyPassword = (db: Db) =>
  db.selectFrom('users').select('id').where('password_hash', 'is not', null).limit(1).executeTakeFirst()

/** Whether there is another administrator of the instance who can sign in. */
export const findOtherAdministrator = (db: Db, userId: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('id', '!=', userId)
    .where('is_instance_admin', '=', 1)
    .where('disabled_at', 'is', null)
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst()

interface NewLinkRow {
  readonly code_hash: string
  readonly purpose: string
  readonly user_id: number | null
  readonly created_by: number | null
  readonly invited_to: number | null
  readonly expires_at: number
}

export const insertLink = (db: Db, row: NewLinkRow) => db.insertInto('one_time_links').values(row).execute()

export const findLink = (db: Db, code_hash: string, purpose: string) =>
  db
    .selectFrom('one_time_links')
    .select(['user_id', 'created_by', 'invited_to', 'expires_at'])
    .where('code_hash', '=', code_hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()

/** Only one of two concurrent callers gets the link. */
export const takeLink = (db: Db, code_hash: string, purpose: string) =>
  db
    .deleteFrom('one_time_links')
    .where('code_hash', '=', code_hash)
    .where('purpose', '=', purpose)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst()

export const deleteExpiredLinks = (db: Db, now: number) =>
  db.deleteFrom('one_time_links').where('expires_at', '<=', now).execute()

/** Links with which a person chooses a password. */
export const deletePasswordLinks = (db: Db, userId: number) =>
  db.deleteFrom('one_time_links').where('purpose', '=', 'password').where('user_id', '=', userId).execute()

/** The links of a person, and those that they created for others. */
export const deleteUserLinks = (db: Db, userId: number) =>
  db
    .deleteFrom('one_time_links')
    .where((where) => where.or([where('user_id', '=', userId), where('created_by', '=', userId)]))
    .execute()

/** One statement for all links, so that only one of two concurrent callers gets any. */
export const takeLinks = (db: Db, at: { purpose: string; userId: number | null }) =>
  db
    .deleteFrom('one_time_links')
    .where('purpose', '=', at.purpose)
    .where((where) => (at.userId === null ? where('user_id', 'is', null) : where('user_id', '=', at.userId)))
    .returning('code_hash')
    .execute()

/** A person without the password hash. */
export const toUser = ({
  password_hash,
  is_instance_admin,
  disabled_at,
  hides_first_steps,
  created_at,
  ...row
}: UserRow): User => ({
  ...row,
  is_instance_admin: toBoolean(is_instance_admin),
  has_password: password_hash !== null,
  disabled_at: formatInstantOrNull(disabled_at),
  hides_first_steps: toBoolean(hides_first_steps),
  created_at: formatInstant(created_at),
})

const sessionColumns = [
  'sessions.id',
  'user_id',
  'address',
  'user_agent',
  'sessions.created_at',
  'last_seen_at',
  'expires_at',
] as const

export const insertSession = (
  db: Db,
  row: {
    user_id: number
    token_hash: string
    address: string
    user_agent: string | null
    created_at: number
    last_seen_at: number
    expires_at: number
  },
) => db.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow()

interface SessionLimits {
  readonly now: number
  /** Sessions last used before this instant have expired. */
  readonly idleSince: number
}

export const findSession = (db: Db, { tokenHash, now, idleSince }: SessionLimits & { tokenHash: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([...sessionColumns, 'users.name', 'users.is_instance_admin'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()

export const listSessions = (db: Db, userId: number, { now, idleSince, ...page }: Page & SessionLimits) =>
  newestFirst(
    db
      .selectFrom('sessions')
      .select(sessionColumns)
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .where('last_seen_at', '>', idleSince),
    page,
  ).execute()

export const markSeen = (db: Db, id: number, at: number) =>
  db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()

export const deleteSession = (db: Db, userId: number, id: number) =>
  db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).returning('id').executeTakeFirst()

const maxAddresses = 200

/** The addresses from which a person has sessions, newest first. */
export const listSessionAddresses = (db: Db, email: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('address')
    .where('users.email', '=', email)
    .orderBy('sessions.id', 'desc')
    .limit(maxAddresses)
    .execute()

export const findOwnSession = (db: Db, userId: number, id: number) =>
  db.selectFrom('sessions').select('id').where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

/** All sessions of a person, optionally except one. */
export const deleteUserSessions = (db: Db, userId: number, exceptId: number) =>
  db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', exceptId).execute()

export const deleteEndedSessions = (db: Db, { now, idleSince }: SessionLimits) =>
  db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', now), where('last_seen_at', '<=', idleSince)]))
    .execute()

export const keepNewestSessions = (db: Db, userId: number, most: number) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<=', (where) =>
      where
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(most),
    )
    .execute()

const tokenColumns = ['id', 'name', 'hint', 'expires_at', 'revoked_at', 'last_used_at', 'created_at'] as const

export interface PersonalTokenRow {
  readonly id: number
  readonly name: string
  readonly hint: string
  readonly expires_at: number
  readonly revoked_at: number | null
  readonly last_used_at: number | null
  readonly created_at: number
}

export const insertToken = (
  db: Db,
  row: { user_id: number; name: string; token_hash: string; hint: string; expires_at: number; created_at: number },
): Promise<PersonalTokenRow> =>
  db.insertInto('personal_tokens').values(row).returning(tokenColumns).executeTakeFirstOrThrow()

export const listTokens = (db: Db, userId: number, page: Page): Promise<PersonalTokenRow[]> =>
  newestFirst(db.selectFrom('personal_tokens').select(tokenColumns).where('user_id', '=', userId), page).execute()

export const revokeToken = (db: Db, { userId, id, at }: { userId: number; id: number; at: number }) =>
  db
    .updateTable('personal_tokens')
    .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(at)) }))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(tokenColumns)
    .executeTakeFirst()

export const revokeUserTokens = (db: Db, { userId, at }: { userId: number; at: number }) =>
  db
    .updateTable('personal_tokens')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()

export const findToken = (db: Db, tokenHash: string, now: number) =>
  db
    .selectFrom('personal_tokens')
    .innerJoin('users', 'users.id', 'personal_tokens.user_id')
    .select(['personal_tokens.id', 'user_id', 'last_used_at', 'users.name', 'users.is_instance_admin'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()

export const markUsed = (db: Db, id: number, at: number) =>
  db.updateTable('personal_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
