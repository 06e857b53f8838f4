import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'

const columns = ['id', 'name', 'hint', 'expires_at', 'revoked_at', 'last_used_at', 'created_at'] as const

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
  db.insertInto('personal_tokens').values(row).returning(columns).executeTakeFirstOrThrow()

export const listTokens = (db: Db, userId: number, page: Page): Promise<PersonalTokenRow[]> =>
  newestFirst(db.selectFrom('personal_tokens').select(columns).where('user_id', '=', userId), page).execute()

export const revokeToken = (db: Db, { userId, id, at }: { userId: number; id: number; at: number }) =>
  db
    .updateTable('personal_tokens')
    .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(at)) }))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()

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
