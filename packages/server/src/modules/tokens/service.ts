import { createHash } from 'node:crypto'
import type { Named, Scope } from '@service/contract'
import type * as z from 'zod/mini'
import { notFound, validation } from '../../api-error.ts'
import { microsPerMinute } from '../../clock.ts'
import type { App } from '../../context.ts'
import { toInstant, toInstantOrNull } from '../../instants.ts'
import { describeFault } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { inTransaction } from '../../store/transaction.ts'
import { untraced } from '../../trace.ts'
import { findMember } from '../members/service.ts'
import type { NewToken } from './input.ts'
import * as queries from './queries.ts'
import { hasTokenForm, tokenRandomBytes, toTokenText } from './token-text.ts'

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
  input: z.output<typeof NewToken>,
  pinned?: string,
): Promise<ApiToken & { readonly token: string }> {
  return inTransaction(app, async (app) => {
    const user = await findMember(app, input.workspace_id, input.user_id)
    if (user === undefined) throw validation({ user_id: ['The user_id field must be a member of the workspace.'] })
    const token = pinned ?? toTokenText(app.ids.bytes(tokenRandomBytes))
    const row = await queries.insertToken(app.db, {
      workspace_id: input.workspace_id,
      user_id: input.user_id,
      name: input.name,
      token_hash: hashOf(token),
      hint: token.slice(-4),
      scopes: JSON.stringify([...new Set(input.scopes)]),
      expires_at: input.expires_at ? Date.parse(input.expires_at) * 1000 : null,
      created_at: app.clock.now(),
    })
    return { ...toApiToken(row), token }
  })
}

export async function listTokens(app: App, workspaceId: number): Promise<ApiToken[]> {
  return (await queries.listTokens(app.db, workspaceId)).map(toApiToken)
}

/** Works at once: the next request with the token gets 401. */
export function revokeToken(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<ApiToken> {
  return inTransaction(app, async (app) => {
    const row = await queries.revokeToken(app.db, { workspaceId, id, at: app.clock.now() })
    if (row === undefined) throw notFound('token', id)
    return toApiToken(row)
  })
}

/** The caller behind a token that exists, is not revoked and has not expired. */
export async function findCaller(app: App, token: string): Promise<Caller | undefined> {
  if (!hasTokenForm(token)) return undefined
  // The index compares hashes, not tokens: how far a guess matches tells nothing about the token.
  const row = await queries.findByHash(app.db, hashOf(token))
  const now = app.clock.now()
  if (row === undefined || row.revoked_at !== null) return undefined
  if (row.expires_at !== null && row.expires_at <= now) return undefined
  if (row.last_used_at === null || row.last_used_at < now - microsPerMinute) noteUse(app, row.id, now)
  return {
    tokenId: row.id,
    workspaceId: row.workspace_id,
    scopes: scopeSet(row.scopes),
    user: { id: row.user_id, name: row.user_name },
  }
}

const beingNoted = new WeakMap<Store, Set<number>>()

/** At most one write a minute, and no request waits for it; those that come before it is done leave it at that. */
function noteUse(app: App, id: number, at: number): void {
  const noting = beingNoted.get(app.store) ?? new Set()
  beingNoted.set(app.store, noting)
  if (noting.has(id)) return
  noting.add(id)
  untraced(() => inTransaction(app, (app) => queries.markUsed(app.db, id, at)))
    .catch((fault: unknown) => {
      app.log.warn(`The last use of token ${id} could not be noted.`, { token_id: id, ...describeFault(fault) })
    })
    .finally(() => noting.delete(id))
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
  return createHash('sha256').update(token).digest('hex')
}

function toApiToken(row: queries.TokenRow): ApiToken {
  return {
    ...row,
    scopes: JSON.parse(row.scopes),
    expires_at: toInstantOrNull(row.expires_at),
    revoked_at: toInstantOrNull(row.revoked_at),
    last_used_at: toInstantOrNull(row.last_used_at),
    created_at: toInstant(row.created_at),
  }
}
