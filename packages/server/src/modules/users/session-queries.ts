import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'

const columns = [
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

interface Alive {
  readonly now: number
  /** Sessions that were last used before it are over. */
  readonly idleSince: number
}

export const findSession = (db: Db, { tokenHash, now, idleSince }: Alive & { tokenHash: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([...columns, 'users.name', 'users.is_instance_admin'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()

export const listSessions = (db: Db, userId: number, { now, idleSince, ...page }: Page & Alive) =>
  newestFirst(
    db
      .selectFrom('sessions')
      .select(columns)
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .where('last_seen_at', '>', idleSince),
    page,
  ).execute()

export const markSeen = (db: Db, id: number, at: number) =>
  db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()

export const deleteSession = (db: Db, userId: number, id: number) =>
  db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).returning('id').executeTakeFirst()

/** All of a person, or all but one. */
export const deleteSessionsOf = (db: Db, userId: number, but: number) =>
  db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', but).execute()

export const deleteEndedSessions = (db: Db, { now, idleSince }: Alive) =>
  db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', now), where('last_seen_at', '<=', idleSince)]))
    .execute()
