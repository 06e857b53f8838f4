import { integerId, type Named, type Scope, scopes } from '@service/contract'
import type { ApiToken, NewApiToken } from '@service/contract/admin/people'
import { type MemberRole, TokenInput } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { type AdminCaller, isAtLeast } from '../../core/admin-caller.ts'
import { formatInstant, formatInstantOrNull, type Micros, microsPerMinute, parseInstant } from '../../core/clock.ts'
import { forbidden, notFound, validation } from '../../core/errors.ts'
import { hashSecret } from '../../core/ids.ts'
import type { Page } from '../../core/pagination.ts'
import type { Counted } from '../../core/rate-windows.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import { toBoolean } from '../../store/columns.ts'
import type { InvalidatedBy } from '../../store/row-cache.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findMember, findRole, lockMembers } from '../members/service.ts'
import { recordLastUse } from './last-use-service.ts'
import * as queries from './queries.ts'
import { parseToken, tokenRandomBytes, toTokenText } from './token-text.ts'

// The API inputs plus the workspace id, for callers without a path.

export const NewToken = z.extend(TokenInput, { workspace_id: integerId })
export type NewToken = z.input<typeof NewToken>

/** The caller: the token, its scopes, and the user it acts as. */
export interface Caller extends TokenScopes {
  readonly tokenId: number
  readonly workspaceId: number
  readonly user: Named
}

/** The scopes of a token, capped by the present role of its person. */
export interface TokenScopes {
  readonly role: MemberRole | 'instance' | undefined
  readonly ownScopes: readonly Scope[]
  readonly scopes: ReadonlySet<Scope>
}

type TokenToCreate = Omit<z.output<typeof NewToken>, 'user_id'> & {
  readonly user_id: number
  /** The person who creates it for another person. */
  readonly createdBy?: number | null
}

/**
 * Creates a token on behalf of a caller. A token for a person with a higher role would give the caller the rights of that role.
 * The caller's role is read under the lock, because it may have changed since the request was authorized.
 */
export function createTokenAs(app: App, { role, user }: AdminCaller, token: TokenToCreate): Promise<NewApiToken> {
  return inTransaction(app, async (app) => {
    const createdBy = user === undefined || user.id === token.user_id ? null : user.id
    if (role === 'instance' || createdBy === null) return createToken(app, { ...token, createdBy })
    await lockMembers(app, token.workspace_id)
    const own = await findRole(app, token.workspace_id, createdBy)
    const theirs = await findRole(app, token.workspace_id, token.user_id)
    if (own === undefined || (theirs !== undefined && !isAtLeast(own, theirs)))
      throw forbidden(`A token for this person needs the role ${theirs}; yours is ${own ?? 'none'}.`)
    return createToken(app, { ...token, createdBy })
  })
}

/** Creates a token. Its text is only in this response; the database stores a SHA-256. A seed may fix the value. */
export function createToken(
  app: App,
  { createdBy = null, ...input }: TokenToCreate,
  pinned?: string,
): Promise<NewApiToken> {
  return inTransaction(app, async (app) => {
    await lockMembers(app, input.workspace_id)
    const user = await findMember(app, input.workspace_id, input.user_id)
    if (user === undefined) throw validation({ user_id: ['The user_id field must be a member of the workspace.'] })
    const created_at = app.clock.now()
    const expires_at = input.expires_at ? parseInstant(input.expires_at) : null
    if (expires_at !== null && expires_at <= created_at)
      throw validation({ expires_at: ['The expires_at field must be in the future.'] })
    await requireRoom(app, 'tokens', input.workspace_id)
    const token = pinned ?? toTokenText(input.workspace_id, app.ids.bytes(tokenRandomBytes))
    const { id } = await queries.insertToken(app.db, {
      workspace_id: input.workspace_id,
      user_id: input.user_id,
      name: input.name,
      token_hash: hashSecret(token),
      hint: token.slice(-4),
      scopes: JSON.stringify([...new Set(input.scopes)]),
      expires_at,
      created_at,
      created_by: createdBy,
    })
    return { ...(await getToken(app, { workspaceId: input.workspace_id, id })), token }
  })
}

/** Tokens, newest first, including revoked ones. */
export async function listTokens(app: App, workspaceId: number, page: Page): Promise<ApiToken[]> {
  return (await queries.listTokens(app.db, workspaceId, page)).map(toApiToken)
}

export async function getToken(app: App, { workspaceId, id }: RowRef): Promise<ApiToken> {
  const row = await queries.findToken(app.db, workspaceId, id)
  if (row === undefined) throw notFound('token', id)
  return toApiToken(row)
}

/** Takes effect immediately: the next request with the token gets 401. */
export function revokeToken(app: App, { workspaceId, id }: RowRef): Promise<ApiToken> {
  return inTransaction(app, async (app) => {
    await queries.revokeToken(app.db, { workspaceId, id, at: app.clock.now() })
    return getToken(app, { workspaceId, id })
  })
}

const tablesOfWorkspace: ReadonlySet<string | undefined> = new Set(['api_tokens', 'member_names', 'members'])

/** Which changes invalidate a cached token. A person's name and state are the same in every workspace. */
export const invalidatedByTable: InvalidatedBy = (table) => {
  if (tablesOfWorkspace.has(table)) return 'workspace'
  return table === undefined || table === 'users' || table === 'workspaces' ? 'everything' : 'nothing'
}

/** The caller of a token that exists, is not revoked, and has not expired. */
export async function findCaller(app: App, token: string): Promise<Caller | undefined> {
  const parsed = parseToken(token)
  if (parsed === undefined) return undefined
  // The index compares hashes, so lookup timing reveals nothing about the token.
  const digest = hashSecret(token)
  const find = () => queries.findByHash(app.db, digest, parsed.workspaceId)
  const row = await (app.credentialCache === undefined ? find() : app.credentialCache.find(digest, find))
  if (row === undefined || row.revoked_at !== null) return undefined
  if (row.expires_at !== null && row.expires_at <= app.clock.now()) return undefined
  return toCaller(app, row)
}

/** Counts one request under a key (a token, or an address without a valid token), across all nodes on a database. */
export async function countRequest(app: CountingApp, key: string): Promise<Counted> {
  const { hits, ends_in } = await queries.countRequest(app.db, { now: sharedTime(app), key })
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
    ...capScopes(row),
    user: { id: row.user_id, name: row.user_name },
  }
}

const cappedScopes = new Map<string, TokenScopes>()

/** Few distinct lists and roles exist, so each pair is computed once. */
function capScopes({
  scopes: json,
  role,
  is_instance_admin,
}: Pick<queries.TokenRow, 'scopes' | keyof queries.PersonOfToken>): TokenScopes {
  const key = `${is_instance_admin} ${role} ${json}`
  const known = cappedScopes.get(key)
  if (known !== undefined) return known
  const ownScopes: Scope[] = JSON.parse(json)
  const present = presentRole(role, toBoolean(is_instance_admin))
  const allowed = ownScopes.filter((scope) => present !== undefined && isAtLeast(present, scopes[scope].role))
  const capped: TokenScopes = { role: present, ownScopes, scopes: new Set(allowed) }
  if (cappedScopes.size < 1000) cappedScopes.set(key, capped)
  return capped
}

function presentRole(role: string | null, isInstanceAdmin: boolean): TokenScopes['role'] {
  if (role === null) return undefined
  return isInstanceAdmin ? 'instance' : (role as MemberRole) // written only by the members service
}

function toApiToken(token: queries.TokenRow): ApiToken {
  const { role, ownScopes, scopes: allowed } = capScopes(token)
  const { role: _, is_instance_admin: __, ...row } = token
  const isLimited = role !== undefined && role !== 'instance' && allowed.size < ownScopes.length
  return {
    ...row,
    scopes: [...ownScopes],
    effective_scopes: [...allowed],
    limited_by_role: isLimited ? role : null,
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
      return inTransaction(app, (app) => queries.deleteExpiredWindows(app.db, sharedTime(app)))
    },
  }
}

/** Null to use the database clock, which all nodes share. A test clock passes its own time. */
const sharedTime = ({ clock }: Pick<App, 'clock'>): Micros | null =>
  clock.followsMachine === true ? null : clock.now()
