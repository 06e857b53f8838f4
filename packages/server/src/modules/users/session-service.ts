import type {
  NewPersonalToken,
  NewSession,
  PersonalToken,
  PersonalTokenInput,
  Session,
} from '@service/contract/admin/users'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { formatInstant, formatInstantOrNull, type Micros, microsPerDay, parseInstant } from '../../core/clock.ts'
import { notFound, unauthorized, validation } from '../../core/errors.ts'
import { hashSecret, randomText } from '../../core/ids.ts'
import type { Page } from '../../core/pagination.ts'
import { toBoolean } from '../../store/columns.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction } from '../../store/transaction.ts'
import { lockPerson } from '../members/name-service.ts'
import { recordLastUse } from '../tokens/last-use-service.ts'
import * as queries from './queries.ts'

/** Idle sessions expire after this time. */
const idleTimeout = 7 * microsPerDay
/** Every session expires after this time. */
const maxLifetime = 30 * microsPerDay
/** Of one person. The oldest session ends when a newer one would exceed it. */
export const maxSessions = 100

export const sessionPrefix = 'service_session_'

/** Whether a text has the form of a session token. The session may have ended. */
export const isSessionToken = (text: string): boolean =>
  text.startsWith(sessionPrefix) && /^[\w-]{43}$/.test(text.slice(sessionPrefix.length))

type ClientInfo = Pick<AdminCaller, 'address' | 'userAgent'> & {
  /** The session that the new one replaces. */
  readonly sessionId?: number | undefined
}

/** Creates a session for a person whose password was verified. Also deletes expired sessions. */
export async function openSession(app: TxApp, user: queries.UserRow, from: ClientInfo): Promise<NewSession> {
  await lockPerson(app, user.id)
  const current = await queries.findUser(app.db, user.id)
  if (current === undefined || current.disabled_at !== null || current.password_hash !== user.password_hash)
    throw unauthorized('The account was changed during the sign-in. Try again.')
  const now = app.clock.now()
  await queries.deleteEndedSessions(app.db, { now, idleSince: now - idleTimeout })
  if (from.sessionId !== undefined) await queries.deleteSession(app.db, user.id, from.sessionId)
  const token = `${sessionPrefix}${randomText(app.ids)}`
  const { id } = await queries.insertSession(app.db, {
    user_id: user.id,
    token_hash: hashSecret(token),
    address: from.address,
    user_agent: from.userAgent?.slice(0, 255) ?? null,
    created_at: now,
    last_seen_at: now,
    expires_at: now + maxLifetime,
  })
  await queries.keepNewestSessions(app.db, user.id, maxSessions)
  return { id, token, expires_at: formatInstant(now + maxLifetime), user: queries.toUser(user) }
}

/** The person of a session that has not expired. */
export async function findSession(app: App, token: string) {
  const alive = sessionLimits(app.clock.now())
  const row = await queries.findSession(app.db, { tokenHash: hashSecret(token), ...alive })
  if (row === undefined) return undefined
  recordLastUse(app, { name: `session ${row.id}`, lastUsedAt: row.last_seen_at }, (db, at) =>
    queries.markSeen(db, row.id, at),
  )
  return {
    sessionId: row.id,
    user: { id: row.user_id, name: row.name },
    isInstanceAdmin: toBoolean(row.is_instance_admin),
  }
}

/** A person's sessions, newest first. */
export async function listSessions(
  app: App,
  { userId, current }: { readonly userId: number; readonly current: number | undefined },
  page: Page,
): Promise<Session[]> {
  const rows = await queries.listSessions(app.db, userId, { ...page, ...sessionLimits(app.clock.now()) })
  return rows.map(({ user_id: _, created_at, last_seen_at, expires_at, ...row }) => ({
    ...row,
    created_at: formatInstant(created_at),
    last_seen_at: formatInstant(last_seen_at),
    expires_at: formatInstant(expires_at),
    current: row.id === current,
  }))
}

/** Throws if the session has ended since the request was authorized. */
export async function requireOpenSession(app: TxApp, { userId, sessionId }: OwnSession): Promise<void> {
  if ((await queries.findOwnSession(app.db, userId, sessionId)) === undefined) throw unauthorized('Unauthenticated.')
}

export interface OwnSession {
  readonly userId: number
  readonly sessionId: number
}

export function deleteSession(app: App, userId: number, id: number): Promise<{ readonly id: number }> {
  return inTransaction(app, async (app) => {
    if ((await queries.deleteSession(app.db, userId, id)) === undefined) throw notFound('session', id)
    return { id }
  })
}

/** Ends all sessions of a person except one. */
export const endSessions = (app: TxApp, { userId, but = 0 }: { readonly userId: number; readonly but?: number }) =>
  queries.deleteUserSessions(app.db, userId, but)

const sessionLimits = (now: Micros) => ({ now, idleSince: now - idleTimeout })

export const personalTokenPrefix = 'service_personal_'

/** The token's text is only in this response; the database stores a SHA-256. */
export function createPersonalToken(
  app: App,
  own: OwnSession,
  { name, expires_at }: z.output<typeof PersonalTokenInput>,
): Promise<NewPersonalToken> {
  const { userId } = own
  return inTransaction(app, async (app) => {
    await lockPerson(app, userId)
    await requireOpenSession(app, own)
    const created_at = app.clock.now()
    const expiry = parseInstant(expires_at)
    if (expiry <= created_at) throw validation({ expires_at: ['The expires_at field must be in the future.'] })
    await requireRoom(app, 'personal_tokens', userId)
    const token = `${personalTokenPrefix}${randomText(app.ids)}`
    const row = await queries.insertToken(app.db, {
      user_id: userId,
      name,
      token_hash: hashSecret(token),
      hint: token.slice(-4),
      expires_at: expiry,
      created_at,
    })
    return { ...toPersonalToken(row), token }
  })
}

/** A person's tokens, newest first, including revoked ones. */
export async function listPersonalTokens(app: App, userId: number, page: Page): Promise<PersonalToken[]> {
  return (await queries.listTokens(app.db, userId, page)).map(toPersonalToken)
}

/** Takes effect immediately: the next request with the token gets 401. */
export function revokePersonalToken(app: App, userId: number, id: number): Promise<PersonalToken> {
  return inTransaction(app, async (app) => {
    const row = await queries.revokeToken(app.db, { userId, id, at: app.clock.now() })
    if (row === undefined) throw notFound('token', id)
    return toPersonalToken(row)
  })
}

/** Revokes all tokens of a person. */
export const revokePersonalTokens = (app: TxApp, userId: number) =>
  queries.revokeUserTokens(app.db, { userId, at: app.clock.now() })

/** The person of a token that is not revoked and has not expired. */
export async function findPersonalToken(app: App, token: string) {
  const row = await queries.findToken(app.db, hashSecret(token), app.clock.now())
  if (row === undefined) return undefined
  recordLastUse(app, { name: `personal token ${row.id}`, lastUsedAt: row.last_used_at }, (db, at) =>
    queries.markUsed(db, row.id, at),
  )
  return {
    personalTokenId: row.id,
    user: { id: row.user_id, name: row.name },
    isInstanceAdmin: toBoolean(row.is_instance_admin),
  }
}

const toPersonalToken = ({ expires_at, revoked_at, last_used_at, created_at, ...row }: queries.PersonalTokenRow) => ({
  ...row,
  expires_at: formatInstant(expires_at),
  revoked_at: formatInstantOrNull(revoked_at),
  last_used_at: formatInstantOrNull(last_used_at),
  created_at: formatInstant(created_at),
})
