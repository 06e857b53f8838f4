import type {
  Credentials,
  OwnAccountPatch,
  User,
  UserAccount,
  UserInput,
  UserPatch,
} from '@service/contract/admin/users'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { conflict, forbidden, notFound, unauthorized, validation } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { listMemberships, noteWorkspacesOf } from '../members/service.ts'
import { hashPassword, isPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { endSessions } from './session-service.ts'

/** People, newest first. */
export async function listUsers(app: App, page: Page): Promise<UserAccount[]> {
  const users = (await queries.listUsers(app.db, page)).map(queries.toUser)
  const memberships = await listMemberships(
    app,
    users.map(({ id }) => id),
  )
  return users.map((user) => ({
    ...user,
    workspaces: memberships.filter(({ userId }) => userId === user.id).map(({ workspace }) => workspace),
  }))
}

export async function getUser(app: App, id: number): Promise<UserAccount> {
  const row = await queries.findUser(app.db, id)
  if (row === undefined) throw notFound('user', id)
  const memberships = await listMemberships(app, [id])
  return { ...queries.toUser(row), workspaces: memberships.map(({ workspace }) => workspace) }
}

export function createUser(app: App, { name, email, is_instance_admin }: z.output<typeof UserInput>): Promise<User> {
  return inTransaction(app, async (app) => {
    const flag = toInteger(is_instance_admin)
    const row = await queries.insertUser(app.db, { name, email, is_instance_admin: flag, created_at: app.clock.now() })
    if (row === undefined) throw conflict(`A person with the e-mail address ${email} already exists.`)
    return queries.toUser(row)
  })
}

/** Omitted fields keep their values. Disabling a person ends their sessions. */
export function updateUser(app: App, id: number, patch: z.output<typeof UserPatch>): Promise<User> {
  return inTransaction(app, async (app) => {
    const before = await queries.findUser(app.db, id)
    if (before === undefined) throw notFound('user', id)
    const { name, is_instance_admin, disabled } = patch
    if (disabled === true) await endSessions(app, { userId: id })
    const row = await queries.updateUser(app.db, id, {
      name: name ?? before.name,
      is_instance_admin: is_instance_admin === undefined ? before.is_instance_admin : toInteger(is_instance_admin),
      disabled_at: disabledAt(before.disabled_at, disabled, app.clock.now()),
    })
    await noteWorkspacesOf(app, id)
    return queries.toUser(row ?? before)
  })
}

function disabledAt(before: number | null, disabled: boolean | undefined, now: number): number | null {
  if (disabled === undefined) return before
  return disabled ? (before ?? now) : null
}

/** The person with this password. The error does not reveal whether the address or the password was wrong. */
export async function requirePassword(
  app: App,
  { email, password }: z.output<typeof Credentials>,
): Promise<queries.UserRow> {
  const row = await queries.findByEmail(app.db, email)
  const matches = await isPassword(password, { stored: row?.password_hash, purpose: 'sign_in' })
  if (row === undefined || !matches || row.disabled_at !== null)
    throw unauthorized('The e-mail address or the password is wrong.')
  return row
}

/** The person's own account, without disabled workspaces. */
export async function getAccount(app: App, userId: number): Promise<UserAccount> {
  const row = await queries.findUser(app.db, userId)
  if (row === undefined) throw notFound('user', userId)
  const memberships = (await listMemberships(app, [userId])).filter(({ isDisabled }) => !isDisabled)
  return { ...queries.toUser(row), workspaces: memberships.map(({ workspace }) => workspace) }
}

interface OwnAccount {
  readonly userId: number
  /** The session to keep when the password changes. */
  readonly sessionId: number | undefined
}

/** Hashes before the transaction begins, and returns the work to do in it. */
export async function prepareAccountUpdate(
  app: App,
  { userId, sessionId }: OwnAccount,
  { name, ...passwords }: z.output<typeof OwnAccountPatch>,
): Promise<(app: TxApp) => Promise<UserAccount>> {
  if (passwords.password !== undefined && sessionId === undefined) throw forbidden('Sign in to change the password.')
  const stored = (await queries.findUser(app.db, userId))?.password_hash
  const passwordHash = await newHash(stored, passwords)
  return async (app) => {
    if (name !== undefined) {
      await queries.updateUser(app.db, userId, { name })
      await noteWorkspacesOf(app, userId)
    }
    if (passwordHash !== undefined) {
      await queries.updateUser(app.db, userId, { password_hash: passwordHash })
      await endSessions(app, { userId, ...(sessionId === undefined ? {} : { but: sessionId }) })
    }
    return getAccount(app, userId)
  }
}

async function newHash(
  stored: string | null | undefined,
  { password, current_password: current }: Pick<z.output<typeof OwnAccountPatch>, 'password' | 'current_password'>,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  const refused = (sentence: string, isFailedCredential: boolean) =>
    validation({ current_password: [sentence] }, { isFailedCredential })
  if (!current) throw refused('The current_password field is required to change the password.', false)
  if (await isPassword(current, { stored, purpose: 'change' })) return hashPassword(password)
  throw refused('The current_password field must match the current password.', true)
}
