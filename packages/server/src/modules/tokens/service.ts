import { hash } from 'node:crypto'
import { integerId, type Named, type Scope } from '@service/contract'
import { TokenInput } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { type Clock, formatInstant, formatInstantOrNull, type Micros, microsPerMinute } from '../../core/clock.ts'
import { notFound, validation } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import type { ConcernOf } from '../../store/kept-rows.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { noteUse } from './note-use-service.ts'
import * as queries from './queries.ts'
import { hasTokenForm, tokenRandomBytes, toTokenText } from './token-text.ts'

// As administration takes them, with the workspace, for code that has no path to name it.

export const NewToken = z.extend(TokenInput, { workspace_id: integerId })
export type NewToken = z.input<typeof NewToken>

/** Who calls: the token, what it may do, and the user it acts as. */
export interface Caller {
  readonly tokenId: number
  readonly workspaceId: number
  readonly scopes: ReadonlySet<string>
  readonly user: Named
}

/** A token as it may be shown: everything but the token itself. */
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

/** Makes a token. Its text is in this answer and nowhere else: only a SHA-256 is stored. A seed may pin it. */
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
    const token = pinned ?? toTokenText(app.ids.bytes(tokenRandomBytes))
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

/** Tokens page by page, newest first; revoked ones too. */
export async function listTokens(app: App, workspaceId: number, page: Page): Promise<ApiToken[]> {
  return (await queries.listTokens(app.db, workspaceId, page)).map(toApiToken)
}

export async function getToken(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<ApiToken> {
  const row = await queries.findToken(app.db, workspaceId, id)
  if (row === undefined) throw notFound('token', id)
  return toApiToken(row)
}

/** Works at once: the next request with the token gets 401. */
export function revokeToken(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<ApiToken> {
  return inTransaction(app, async (app) => {
    const row = await queries.revokeToken(app.db, { workspaceId, id, at: app.clock.now() })
    if (row === undefined) throw notFound('token', id)
    return toApiToken(row)
  })
}

/** Which changes make old what is known of a token: its person's name and state are the same in every workspace. */
export const concernOfTokens: ConcernOf = (table) => {
  if (table === 'api_tokens' || table === 'member_names') return 'workspace'
  return table === undefined || table === 'users' ? 'everything' : 'nothing'
}

/** The caller behind a token that exists, is not revoked and has not expired. */
export async function findCaller(app: App, token: string): Promise<Caller | undefined> {
  // The index compares hashes, not tokens: how far a guess matches tells nothing about the token.
  const digest = hashOf(token)
  const look = async () => (hasTokenForm(token) ? queries.findByHash(app.db, digest) : undefined)
  const row = await (app.credentials === undefined ? look() : app.credentials.find(digest, look))
  if (row === undefined || row.revoked_at !== null) return undefined
  if (row.expires_at !== null && row.expires_at <= app.clock.now()) return undefined
  return toCaller(app, row)
}

/** A request's caller, and the count of the window that it falls into. */
export interface CountedCaller {
  readonly caller: Caller | undefined
  readonly hits: number
  readonly endsInMs: number
}

/**
 * The same, where several nodes share a database: the request is counted in the round trip that looks the token up, under
 * the token when it is valid and under its address otherwise.
 */
export async function findCallerAndCount(
  app: App,
  { token, address }: { readonly token: string | undefined; readonly address: string },
): Promise<CountedCaller> {
  const now = sharedTime(app.clock)
  if (token === undefined || !hasTokenForm(token)) {
    return toCounted(app, await queries.countAddress(app.db, { now, address }), undefined)
  }
  const at = app.clock.now()
  const row = await queries.findAndCount(app.db, { now, address, hash: hashOf(token), at })
  return toCounted(app, row, row.id === null ? undefined : toCaller(app, row))
}

/** Counts something under a key, on all nodes together. */
export async function countTogether(app: CountingApp, key: string): Promise<Omit<CountedCaller, 'caller'>> {
  return toCounted(app, await queries.countAddress(app.db, { now: sharedTime(app.clock), address: key }), undefined)
}

type CountingApp = Pick<App, 'db' | 'clock' | 'dueSignal'>

function toCounted(
  app: Pick<CountingApp, 'clock' | 'dueSignal'>,
  { hits, ends_in }: queries.CountedRow,
  caller: Caller | undefined,
): CountedCaller {
  if (hits === 1) app.dueSignal.scheduleAt(app.clock.now() + 2 * microsPerMinute) // what is over has to go some time
  return { caller, hits, endsInMs: Math.min(60_000, Math.max(0, ends_in / 1000)) }
}

function toCaller(app: App, row: queries.FoundToken): Caller {
  const { id, workspace_id: workspaceId } = row
  noteUse(app, { name: `token ${id}`, lastUsedAt: row.last_used_at, workspaceId }, (db, at) =>
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

/** Few different lists exist, so each is parsed once. */
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

/** Removes rate windows that are over, a minute after there is one: callers with ever new addresses must not fill a disk. */
export function rateWindowUpkeep(app: App): MaintenanceTask {
  let dueAt: Micros | undefined
  return {
    async nextDueAt() {
      if (app.store.dialect !== 'postgres' || !(await queries.hasWindows(app.db))) return undefined
      dueAt ??= app.clock.now() + 2 * microsPerMinute
      return dueAt
    },
    async run() {
      dueAt = undefined
      return inTransaction(app, (app) => queries.forgetEndedWindows(app.db, sharedTime(app.clock)))
    },
  }
}

/** Null where the database's clock counts, which all nodes share; a clock that a test moves has its own say. */
const sharedTime = (clock: Clock): Micros | null => (clock.followsMachine === true ? null : clock.now())
