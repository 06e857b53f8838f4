import { hash } from 'node:crypto'
import { integerId, type Named, type Scope } from '@service/contract'
import { TokenInput } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { type Clock, formatInstant, formatInstantOrNull, type Micros, microsPerMinute } from '../../core/clock.ts'
import { notFound, validation } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import type { InvalidatedBy } from '../../store/row-cache.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { recordLastUse } from './last-use-service.ts'
import * as queries from './queries.ts'
import { parseToken, tokenRandomBytes, toTokenText } from './token-text.ts'

// The API inputs plus the workspace id, for callers without a path.

export const NewToken = z.extend(TokenInput, { workspace_id: integerId })
export type NewToken = z.input<typeof NewToken>

/** The caller: the token, its scopes, and the user it acts as. */
export interface Caller {
  readonly tokenId: number
  readonly workspaceId: number
  readonly scopes: ReadonlySet<string>
  readonly user: Named
}

/** A token without its secret text. */
export interface ApiToken {
  readonly id: number
  readonly workspace_id: number
  readonly user_id: number
  readonly name: string
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly created_at: string
}

/** Creates a token. Its text is only in this response; the database stores a SHA-256. A seed may fix the value. */
export function createToken(
  app: App,
  input: Omit<z.output<typeof NewToken>, 'user_id'> & { readonly user_id: number },
  pinned?: string,
): Promise<ApiToken & { readonly token: string }> {
  return inTransaction(app, async (app) => {
    const user = await findMember(app, input.workspace_id, input.user_id)
    if (user === undefined) throw validation({ user_id: ['The user_id field must be a member of the workspace.'] })
    const created_at = app.clock.now()
    const expires_at = input.expires_at ? Date.parse(input.expires_at) * 1000 : null
    if (expires_at !== null && expires_at <= created_at)
      throw validation({ expires_at: ['The expires_at field must be in the future.'] })
    const token = pinned ?? toTokenText(input.workspace_id, app.ids.bytes(tokenRandomBytes))
    const row = await queries.insertToken(app.db, {
      workspace_id: input.workspace_id,
      user_id: input.user_id,
      name: input.name,
      token_hash: hashOf(token),
      hint: token.slice(-4),
      scopes: JSON.stringify([...new Set(input.scopes)]),
      expires_at,
      created_at,
    })
    return { ...toApiToken(row), token }
  })
}

/** Tokens, newest first, including revoked ones. */
export async function listTokens(app: App, workspaceId: number, page: Page): Promise<ApiToken[]> {
  return (await queries.listTokens(app.db, workspaceId, page)).map(toApiToken)
}

export async function getToken(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<ApiToken> {
  const row = await queries.findToken(app.db, workspaceId, id)
  if (row === undefined) throw notFound('token', id)
  return toApiToken(row)
}

/** Takes effect immediately: the next request with the token gets 401. */
export function revokeToken(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<ApiToken> {
  return inTransaction(app, async (app) => {
    const row = await queries.revokeToken(app.db, { workspaceId, id, at: app.clock.now() })
    if (row === undefined) throw notFound('token', id)
    return toApiToken(row)
  })
}

/** Which changes invalidate a cached token. A person's name and state are the same in every workspace. */
export const invalidatedByTable: InvalidatedBy = (table) => {
  if (table === 'api_tokens' || table === 'member_names') return 'workspace'
  return table === undefined || table === 'users' || table === 'workspaces' ? 'everything' : 'nothing'
}

/** The caller of a token that exists, is not revoked, and has not expired. */
export async function findCaller(app: App, token: string): Promise<Caller | undefined> {
  const parsed = parseToken(token)
  if (parsed === undefined) return undefined
  // The index compares hashes, so lookup timing reveals nothing about the token.
  const digest = hashOf(token)
  const find = () => queries.findByHash(app.db, digest, parsed.workspaceId)
  const row = await (app.credentialCache === undefined ? find() : app.credentialCache.find(digest, find))
  if (row === undefined || row.revoked_at !== null) return undefined
  if (row.expires_at !== null && row.expires_at <= app.clock.now()) return undefined
  return toCaller(app, row)
}

/** The count of a rate window and its remaining time. */
export interface WindowCount {
  readonly hits: number
  readonly endsInMs: number
}

/** Counts one request under a key (a token, or an address without a valid token), across all nodes on a database. */
export async function countRequest(app: CountingApp, key: string): Promise<WindowCount> {
  const { hits, ends_in } = await queries.countRequest(app.db, { now: sharedTime(app.clock), key })
  if (hits === 1) app.dueSignal.scheduleAt(app.clock.now() + 2 * microsPerMinute) // to delete expired windows
  return { hits, endsInMs: Math.min(60_000, Math.max(0, ends_in / 1000)) }
}

type CountingApp = Pick<App, 'db' | 'clock' | 'dueSignal'>

function toCaller(app: App, row: queries.FoundToken): Caller {
  const { id, workspace_id: workspaceId } = row
  recordLastUse(app, { name: `token ${id}`, lastUsedAt: row.last_used_at, workspaceId }, (db, at) =>
    queries.markUsed(db, { workspaceId, id }, at),
  )
  return {
    tokenId: row.id,
    workspaceId: row.workspace_id,
    scopes: scopeSet(row.scopes),
    user: { id: row.user_id, name: row.user_name },
  }
}

const scopeSets = new Map<string, ReadonlySet<string>>()

/** Few distinct lists exist, so each is parsed once. */
function scopeSet(json: string): ReadonlySet<string> {
  const known = scopeSets.get(json)
  if (known !== undefined) return known
  const scopes = new Set<string>(JSON.parse(json))
  if (scopeSets.size < 1000) scopeSets.set(json, scopes)
  return scopes
}

function hashOf(token: string): string {
  return hash('sha256', token)
}

function toApiToken(row: queries.TokenRow): ApiToken {
  return {
    ...row,
    scopes: JSON.parse(row.scopes),
    expires_at: formatInstantOrNull(row.expires_at),
    revoked_at: formatInstantOrNull(row.revoked_at),
    last_used_at: formatInstantOrNull(row.last_used_at),
    created_at: formatInstant(row.created_at),
  }
}

/** Deletes expired rate windows after a minute, so that callers with many addresses cannot fill the disk. */
export function rateWindowTask(app: App): MaintenanceTask {
  let dueAt: Micros | undefined
  return {
    async nextDueAt() {
      if (app.store.dialect !== 'postgres' || !(await queries.hasWindows(app.db))) return undefined
      dueAt ??= app.clock.now() + 2 * microsPerMinute
      return dueAt
    },
    async run() {
      dueAt = undefined
      return inTransaction(app, (app) => queries.deleteExpiredWindows(app.db, sharedTime(app.clock)))
    },
  }
}

/** Null to use the database clock, which all nodes share. A test clock passes its own time. */
const sharedTime = (clock: Clock): Micros | null => (clock.followsMachine === true ? null : clock.now())
