import type { NewPersonalToken, PersonalToken, PersonalTokenInput } from '@service/contract/admin/users'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { formatInstant, formatInstantOrNull } from '../../core/clock.ts'
import { notFound, validation } from '../../core/errors.ts'
import { hashSecret } from '../../core/ids.ts'
import type { Page } from '../../core/pagination.ts'
import { toBoolean } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { noteUse } from '../tokens/note-use-service.ts'
import * as queries from './queries.ts'

export const personalTokenPrefix = 'service_personal_'

/** Its text is in this answer and nowhere else: only a SHA-256 is stored. */
export function createPersonalToken(
  app: App,
  userId: number,
  { name, expires_at }: z.output<typeof PersonalTokenInput>,
): Promise<NewPersonalToken> {
  return inTransaction(app, async (app) => {
    const created_at = app.clock.now()
    const expiry = Date.parse(expires_at) * 1000
    if (expiry <= created_at) throw validation({ expires_at: ['The expires_at field must be in the future.'] })
    const token = `${personalTokenPrefix}${Buffer.from(app.ids.bytes(32)).toString('base64url')}`
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

/** A person's own, newest first; revoked ones too. */
export async function listPersonalTokens(app: App, userId: number, page: Page): Promise<PersonalToken[]> {
  return (await queries.listTokens(app.db, userId, page)).map(toPersonalToken)
}

/** Works at once: the next request with the token gets 401. */
export function revokePersonalToken(app: App, userId: number, id: number): Promise<PersonalToken> {
  return inTransaction(app, async (app) => {
    const row = await queries.revokeToken(app.db, { userId, id, at: app.clock.now() })
    if (row === undefined) throw notFound('token', id)
    return toPersonalToken(row)
  })
}

/** The person behind a token that is not revoked and has not expired. */
export async function findPersonalToken(app: App, token: string) {
  const row = await queries.findToken(app.db, hashSecret(token), app.clock.now())
  if (row === undefined) return undefined
  noteUse(app, { name: `personal token ${row.id}`, lastUsedAt: row.last_used_at }, (db, at) =>
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
