import type {
  AccountQuery,
  Credentials,
  OwnAccountPatch,
  User,
  UserAccount,
  UserInput,
  UserPatch,
} from '@service/contract/admin/users'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { siteKey } from '../../core/addresses.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { conflict, forbidden, notFound, unauthorized, validation } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { lockPerson, notePersonWorkspaces, renamePerson } from '../members/name-service.ts'
import { listMemberships, listOwnWorkspaces } from '../members/service.ts'
import { revokeTokensCreatedBy } from '../token-revocation/service.ts'
import { lockAdministrators, requireOtherAdministrator } from './administrators.ts'
import { withFailureCount } from './failed-attempts.ts'
import { hashPassword, isPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { endSessions, requireOpenSession, revokePersonalTokens } from './session-service.ts'
import { signInLimits } from './sign-in-limits.ts'

/** People, newest first. */
export async function listUsers(app: App, page: Page): Promise<UserAccount[]> {
  const users = (await queries.listUsers(app.db, page)).map(queries.toUser)
  const memberships = await listMemberships(
    app,
    users.map(({ id }) => id),
  )
  const byUser = Map.groupBy(memberships, ({ userId }) => userId)
  return users.map((user) => ({ ...user, workspaces: (byUser.get(user.id) ?? []).map(({ workspace }) => workspace) }))
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
    if (row === undefined) throw conflict('A person with this e-mail address already exists.')
    return queries.toUser(row)
  })
}

interface UserChange {
  readonly id: number
  readonly caller: AdminCaller
  readonly patch: z.output<typeof UserPatch>
}

/** Omitted fields keep their values. Disabling a person ends their sessions, personal tokens, and links. */
export function updateUser(app: App, { id, caller, patch }: UserChange): Promise<User> {
  return inTransaction(app, async (app) => {
    const { name, is_instance_admin, disabled } = patch
    await lockPerson(app, id)
    await lockAdministrators(app)
    const before = await queries.findUser(app.db, id)
    if (before === undefined) throw notFound('user', id)
    if (disabled === true || is_instance_admin === false) await endRights(app, { id, caller, patch }, before)
    if (name !== undefined) await renamePerson(app, id, name)
    const row = await queries.updateUser(app.db, id, {
      is_instance_admin: is_instance_admin === undefined ? before.is_instance_admin : toInteger(is_instance_admin),
      disabled_at: disabledAt(before.disabled_at, disabled, app.clock.now()),
    })
    await notePersonWorkspaces(app, id)
    return queries.toUser(row ?? before)
  })
}

/** Ends what was given while the person was enabled and administered the instance. */
async function endRights(app: TxApp, { id, caller, patch }: UserChange, before: queries.UserRow): Promise<void> {
  if (toBoolean(before.is_instance_admin) && before.disabled_at === null)
    await requireOtherAdministrator(app, caller, id)
  await queries.deleteUserLinks(app.db, id)
  await revokeTokensCreatedBy(app, { userId: id })
  if (patch.disabled !== true) return
  await endSessions(app, { userId: id })
  await revokePersonalTokens(app, id)
}

function disabledAt(before: number | null, disabled: boolean | undefined, now: number): number | null {
  if (disabled === undefined) return before
  return disabled ? (before ?? now) : null
}

/** The person with this password. The error does not reveal whether the address or the password was wrong. */
export async function requirePassword(
  app: App,
  { email, password }: z.output<typeof Credentials>,
  { address }: Pick<AdminCaller, 'address'>,
): Promise<queries.UserRow> {
  const limits = await signInLimits(app, { email, address })
  return withFailureCount(app, limits, async () => {
    const row = await queries.findByEmail(app.db, email)
    const matches = await isPassword(password, { stored: row?.password_hash, caller: siteKey(address) })
    if (row === undefined || !matches || row.disabled_at !== null)
      throw unauthorized('The e-mail address or the password is wrong.')
    return row
  })
}

/** The person's own account, without disabled workspaces. */
export async function getAccount(app: App, userId: number, query: AccountQuery = {}): Promise<UserAccount> {
  const row = await queries.findUser(app.db, userId)
  if (row === undefined) throw notFound('user', userId)
  return { ...queries.toUser(row), workspaces: await listOwnWorkspaces(app, userId, query) }
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
  {
    name,
    hides_first_steps: hidesFirstSteps,
    end_personal_tokens = true,
    ...passwords
  }: z.output<typeof OwnAccountPatch>,
): Promise<(app: TxApp) => Promise<UserAccount>> {
  if (passwords.password !== undefined && sessionId === undefined) throw forbidden('Sign in to change the password.')
  const stored = (await queries.findUser(app.db, userId))?.password_hash
  const passwordHash = await newHash(app, { userId, sessionId, stored }, passwords)
  return async (app) => {
    await lockPerson(app, userId)
    if (name !== undefined) await renamePerson(app, userId, name)
    if (hidesFirstSteps !== undefined)
      await queries.updateUser(app.db, userId, { hides_first_steps: toInteger(hidesFirstSteps) })
    if (passwordHash !== undefined && sessionId !== undefined) {
      await requireOpenSession(app, { userId, sessionId })
      if ((await queries.findUser(app.db, userId))?.password_hash !== stored) throw wrongCurrentPassword()
      await queries.updateUser(app.db, userId, { password_hash: passwordHash })
      await queries.deleteUserLinks(app.db, userId)
      await endSessions(app, { userId, but: sessionId })
      if (end_personal_tokens) await revokePersonalTokens(app, userId)
    }
    return getAccount(app, userId)
  }
}

/** Guesses count per session, so that a stolen one does not keep the person from changing the password in another. */
const maxGuesses = 10

async function newHash(
  app: App,
  { userId, sessionId, stored }: OwnAccount & { readonly stored: string | null | undefined },
  { password, current_password: current }: Pick<z.output<typeof OwnAccountPatch>, 'password' | 'current_password'>,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  if (!current)
    throw validation({ current_password: ['The current_password field is required to change the password.'] })
  const caller = `person:${userId}`
  await withFailureCount(app, [{ key: `password:session:${sessionId}`, max: maxGuesses }], async () => {
    if (!(await isPassword(current, { stored, caller }))) throw wrongCurrentPassword()
  })
  return hashPassword(password, { caller })
}

const wrongCurrentPassword = () =>
  validation(
    { current_password: ['The current_password field must match the current password.'] },
    { isFailedCredential: true },
  )
