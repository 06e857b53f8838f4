import { type RawBuilder, sql } from 'kysely'
import { type Micros, microsPerMinute } from '../../core/clock.ts'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { memberName, newestFirst } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { ApiTokensTable } from './table.ts'

const columns = [
  'api_tokens.id',
  'api_tokens.workspace_id',
  'api_tokens.user_id',
  'api_tokens.name',
  'hint',
  'scopes',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'api_tokens.created_at',
] as const

/** What caps the scopes of a token. */
export interface PersonOfToken {
  /** The present role in the workspace; null after the person has left it. */
  readonly role: string | null
  readonly is_instance_admin: number
}

export type TokenRow = Omit<ApiTokensTable, 'id' | 'token_hash' | 'created_by'> & PersonOfToken & { id: number }

/** The token columns that decide whether a request is allowed. */
export interface FoundToken extends PersonOfToken {
  readonly id: number
  readonly workspace_id: number
  readonly user_id: number
  readonly scopes: string
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly last_used_at: number | null
  readonly user_name: string
}

export const insertToken = (db: Db, row: Omit<ApiTokensTable, 'id' | 'revoked_at' | 'last_used_at'>) =>
  db.insertInto('api_tokens').values(row).returning('id').executeTakeFirstOrThrow()

const withHash = (db: Db, hash: string, workspaceId: number | RawBuilder<unknown>) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'api_tokens.workspace_id')
    .innerJoin('members', (join) =>
      join
        .onRef('members.workspace_id', '=', 'api_tokens.workspace_id')
        .onRef('members.user_id', '=', 'api_tokens.user_id'),
    )
    .select([
      'api_tokens.id',
      'api_tokens.workspace_id',
      'api_tokens.user_id',
      'members.role',
      'users.is_instance_admin',
      'scopes',
      'expires_at',
      'revoked_at',
      'last_used_at',
      memberName(workspaceId, 'users').as('user_name'),
    ])
    .where('token_hash', '=', hash)
    .where('users.disabled_at', 'is', null)
    .where('workspaces.disabled_at', 'is', null)

const tokenInWorkspace = prepared<{ hash: string; workspaceId: number }, FoundToken>((db, param) =>
  withHash(db, param('hash'), param('workspaceId')).where('api_tokens.workspace_id', '=', param('workspaceId')),
)

const tokenAnywhere = prepared<{ hash: string }, FoundToken>((db, param) =>
  withHash(db, param('hash'), sql.ref('api_tokens.workspace_id')).modifyEnd(acrossWorkspaces('authentication')),
)

/** `workspaceId` is undefined for a token whose text does not name its workspace. */
export const findByHash = async (db: Db, hash: string, workspaceId: number | undefined) =>
  (await (workspaceId === undefined ? tokenAnywhere(db, { hash }) : tokenInWorkspace(db, { hash, workspaceId })))[0]

/** The role of a token's person; null while the person is disabled. */
const activeRole = sql<string | null>`case when users.disabled_at is null then members.role end`

const inWorkspace = (db: Db, workspaceId: number) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.workspace_id', '=', 'api_tokens.workspace_id')
        .onRef('members.user_id', '=', 'api_tokens.user_id'),
    )
    .select([...columns, 'users.is_instance_admin', activeRole.as('role')])
    .where('api_tokens.workspace_id', '=', workspaceId)

export const listTokens = (db: Db, workspaceId: number, page: Page): Promise<TokenRow[]> =>
  newestFirst(inWorkspace(db, workspaceId), page, 'api_tokens.id').execute()

export const findToken = (db: Db, workspaceId: number, id: number): Promise<TokenRow | undefined> =>
  inWorkspace(db, workspaceId).where('api_tokens.id', '=', id).executeTakeFirst()

export const revokeToken = (db: Db, { workspaceId, id, at }: RowRef & { readonly at: number }) =>
  db
    .updateTable('api_tokens')
    .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(at)) }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

export const markUsed = (db: Db, { workspaceId, id }: RowRef, at: number) =>
  db
    .updateTable('api_tokens')
    .set({ last_used_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

// On PostgreSQL, all nodes share one rate limit.

/** The count of a rate window and its remaining time. */
interface CountedRow {
  readonly hits: number
  readonly ends_in: Micros
}

interface CountRequest {
  /** Null for the database clock, which all nodes share. A clock controlled by a test passes its own time. */
  readonly now: Micros | null
  readonly key: string
}

const countWindow = prepared<CountRequest, CountedRow>((db, param) => ({
  compile: () =>
    sql<CountedRow>`with ${currentTime(param('now'))}, counted as (
      insert into rate_limit_windows as w (key, hits, ends_at)
      select ${param('key')}::text, 1, now + ${sql.lit(microsPerMinute)} from moment
      on conflict (key) do update set
        hits = case when ${isCurrent} then w.hits + 1 else 1 end,
        ends_at = case when ${isCurrent} then w.ends_at else excluded.ends_at end
      returning hits, ends_at)
    select counted.hits, counted.ends_at - moment.now as ends_in from counted cross join moment`.compile(db),
}))

export async function countRequest(db: Db, counting: CountRequest): Promise<CountedRow> {
  const [row] = await countWindow(db, counting)
  if (row === undefined) throw new Error('Counting a request returned no row.')
  return row
}

/** Deletes a batch of expired windows. Returns whether there may be more. */
export async function deleteExpiredWindows(db: Db, now: Micros | null): Promise<boolean> {
  const { rows } = await sql`with ${currentTime(now)} delete from rate_limit_windows where ctid in (
    select ctid from rate_limit_windows where ends_at <= (select now from moment) limit ${batch}
    for update skip locked) returning 1`.execute(db)
  return rows.length === batch
}

export const hasWindows = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('rate_limit_windows').select('key').limit(1).executeTakeFirst()) !== undefined

const batch = 5000

const currentTime = (now: Micros | null) =>
  sql`moment as (select coalesce(${now}::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint) as now)`

/** A window that ends implausibly late was started before the clock was set back. */
const isCurrent = sql`w.ends_at > excluded.ends_at - ${sql.lit(microsPerMinute)}
  and w.ends_at < excluded.ends_at + ${sql.lit(microsPerMinute)}`
