import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import type { ApiTokensTable } from './table.ts'

const columns = [
  'id',
  'workspace_id',
  'user_id',
  'name',
  'hint',
  'scopes',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'created_at',
] as const

export type TokenRow = Omit<ApiTokensTable, 'id' | 'token_hash'> & { id: number }

export const insertToken = (
  db: Db,
  row: Omit<ApiTokensTable, 'id' | 'revoked_at' | 'last_used_at'>,
): Promise<TokenRow> => db.insertInto('api_tokens').values(row).returning(columns).executeTakeFirstOrThrow()

const tokenByHash = prepared<{ hash: string }, TokenRow & { user_name: string }>((db, param) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'api_tokens.id',
      'workspace_id',
      'user_id',
      'api_tokens.name',
      'hint',
      'scopes',
      'expires_at',
      'revoked_at',
      'last_used_at',
      'api_tokens.created_at',
      'users.name as user_name',
    ])
    .where('token_hash', '=', param('hash')),
)

export const findByHash = async (db: Db, hash: string) => (await tokenByHash(db, { hash }))[0]

export const listTokens = (db: Db, workspaceId: number): Promise<TokenRow[]> =>
  db.selectFrom('api_tokens').select(columns).where('workspace_id', '=', workspaceId).orderBy('id').execute()

export const revokeToken = (db: Db, { workspaceId, id, at }: { workspaceId: number; id: number; at: number }) =>
  db
    .updateTable('api_tokens')
    .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(at)) }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()

export const markUsed = (db: Db, id: number, at: number) =>
  db.updateTable('api_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
