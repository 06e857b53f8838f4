import { type RawBuilder, sql } from 'kysely'
import { type Micros, microsPerMinute } from '../../core/clock.ts'
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

/** The token columns that decide whether a request is allowed. */
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

// On PostgreSQL, all nodes share one rate limit. The token lookup also counts the request, so that
// the limit needs no round trip; only requests without a token run a separate counting statement.

/** The count of a rate window and its remaining time. */
export interface CountedRow {
  readonly hits: number
  readonly ends_in: Micros
}

interface CountRequest {
  /** Null for the database clock, which all nodes share. A clock controlled by a test passes its own time. */
  readonly now: Micros | null
  /** The address key, which counts a request without a valid token. */
  readonly address: string
}

interface TokenCountRequest extends CountRequest {
  readonly hash: string
  /** The time that token expiry is compared with. */
  readonly at: Micros
}

/** The token, if it is valid, and the count of its window or else the address's window. */
const countToken = prepared<TokenCountRequest, CountedRow & (FoundToken | { readonly id: null })>((db, param) =>
  compilable(
    db,
    sql`with ${currentTime(param('now'))}, found as (
        select t.id, t.workspace_id, t.user_id, t.scopes, t.last_used_at, ${memberName('t.workspace_id', 'users')} as user_name
        from api_tokens t join users on users.id = t.user_id
        where t.token_hash = ${param('hash')} and t.revoked_at is null and users.disabled_at is null
          and (t.expires_at is null or t.expires_at > ${param('at')})
      ), ${upsertWindow(sql`coalesce((select 'token:' || id from found), ${param('address')})`)}
      select found.*, counted.hits, counted.ends_at - moment.now as ends_in
      from counted cross join moment left join found on true ${acrossWorkspaces('authentication')}`,
  ),
)

const countAddressOnly = prepared<CountRequest, CountedRow>((db, param) =>
  compilable(
    db,
    sql`with ${currentTime(param('now'))}, ${upsertWindow(sql`${param('address')}::text`)}
      select counted.hits, counted.ends_at - moment.now as ends_in from counted cross join moment`,
  ),
)

export const findAndCount = async (db: Db, asked: TokenCountRequest) => requireRow((await countToken(db, asked))[0])

export const countAddress = async (db: Db, asked: CountRequest) => requireRow((await countAddressOnly(db, asked))[0])

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

const upsertWindow = (key: RawBuilder<unknown>) => sql`counted as (
  insert into rate_limit_windows as w (key, hits, ends_at)
  select ${key}, 1, now + ${sql.lit(microsPerMinute)} from moment
  on conflict (key) do update set
    hits = case when ${isCurrent} then w.hits + 1 else 1 end,
    ends_at = case when ${isCurrent} then w.ends_at else excluded.ends_at end
  returning hits, ends_at)`

const compilable = <Row>(db: Db, statement: RawBuilder<unknown>) => ({
  compile: () => (statement as RawBuilder<Row>).compile(db), // the SQL above selects these columns
})

function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('Counting a request returned no row.')
  return row
}
