import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { memberName, newestFirst } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
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

/** What of a token decides about a request. */
export interface FoundToken {
  readonly id: number
  readonly workspace_id: number
  readonly user_id: number
  readonly scopes: string
  readonly last_used_at: number | null
  readonly user_name: string
}

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
      memberName('api_tokens.workspace_id', 'users').as('user_name'),
    ])
    .where('token_hash', '=', param('hash'))
    .where('users.disabled_at', 'is', null)
    .modifyEnd(acrossWorkspaces('authentication')),
)

export const findByHash = async (db: Db, hash: string) => (await tokenByHash(db, { hash }))[0]

const inWorkspace = (db: Db, workspaceId: number) =>
  db.selectFrom('api_tokens').select(columns).where('workspace_id', '=', workspaceId)

export const listTokens = (db: Db, workspaceId: number, page: Page): Promise<TokenRow[]> =>
  newestFirst(inWorkspace(db, workspaceId), page).execute()

export const findToken = (db: Db, workspaceId: number, id: number): Promise<TokenRow | undefined> =>
  inWorkspace(db, workspaceId).where('id', '=', id).executeTakeFirst()

export const revokeTokensOf = (
  db: Db,
  { workspaceId, userId, at }: { workspaceId: number; userId: number; at: number },
) =>
  db
    .updateTable('api_tokens')
    .set({ revoked_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()

export const revokeToken = (db: Db, { workspaceId, id, at }: { workspaceId: number; id: number; at: number }) =>
  db
    .updateTable('api_tokens')
    .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(at)) }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()

export const markUsed = (db: Db, { workspaceId, id }: RowRef, at: number) =>
  db
    .updateTable('api_tokens')
    .set({ last_used_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
