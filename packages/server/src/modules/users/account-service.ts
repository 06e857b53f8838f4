import type { UserAccount } from '@service/client/admin'
import type { AccountPatch, Credentials } from '@service/contract/admin/users-input'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../core/context.ts'
import { notFound, unauthorized, validation } from '../../core/errors.ts'
import { listMemberships, noteWorkspacesOf } from '../members/service.ts'
import { hashPassword, isPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { endSessions } from './session-service.ts'
import { toUser } from './user.ts'

/** The person with this password; whether the address or the password was wrong is not told. */
export async function requirePassword(
  app: App,
  { email, password }: z.output<typeof Credentials>,
): Promise<queries.UserRow> {
  const row = await queries.findByEmail(app.db, email)
  const matches = await isPassword(password, row?.password_hash)
  if (row === undefined || !matches || row.disabled_at !== null)
    throw unauthorized('The e-mail address or the password is wrong.')
  return row
}

export async function getAccount(app: App, userId: number): Promise<UserAccount> {
  const row = await queries.findUser(app.db, userId)
  if (row === undefined) throw notFound('user', userId)
  return { ...toUser(row), workspaces: await listMemberships(app, userId) }
}

interface Own {
  readonly userId: number
  /** The one that goes on when the password is changed. */
  readonly sessionId: number | undefined
}

/** Hashes before the transaction begins, and gives back what is to be done in it. */
export async function prepareAccountUpdate(
  app: App,
  { userId, sessionId }: Own,
  { name, password, current_password }: z.output<typeof AccountPatch>,
): Promise<(app: TxApp) => Promise<UserAccount>> {
  const before = await queries.findUser(app.db, userId)
  const wanted = password === undefined ? undefined : await newHash(before?.password_hash, password, current_password)
  return async (app) => {
    if (name !== undefined) {
      await queries.updateUser(app.db, userId, { name })
      await noteWorkspacesOf(app, userId)
    }
    if (wanted !== undefined) {
      await queries.updateUser(app.db, userId, { password_hash: wanted })
      await endSessions(app, { userId, ...(sessionId === undefined ? {} : { but: sessionId }) })
    }
    return getAccount(app, userId)
  }
}

async function newHash(stored: string | null | undefined, password: string, current = ''): Promise<string> {
  if (await isPassword(current, stored)) return hashPassword(password)
  throw validation({ current_password: ['The current_password field must be the password of now.'] })
}
