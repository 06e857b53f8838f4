import type {
  NewSession,
  OneTimeLink,
  PasswordResetInput,
  SetupInput,
  SetupResult,
  SignInCode,
  User,
} from '@service/contract/admin/users'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { formatInstant, microsPerHour } from '../../core/clock.ts'
import { conflict, notFound, unauthorized } from '../../core/errors.ts'
import { hashSecret } from '../../core/ids.ts'
import { inTransaction } from '../../store/transaction.ts'
import { addMember } from '../members/service.ts'
import { createWorkspace } from '../workspaces/service.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { endSessions, openSession } from './session-service.ts'

// One-time links. The code is the credential, so only its SHA-256 is stored, and it expires after one hour.

const linkLifetime = microsPerHour

/** Whether someone has a password and can sign in. */
export const isSetUp = async (app: App): Promise<boolean> => (await queries.findAnyPassword(app.db)) !== undefined

/** For the first person. Each node may have a valid link; using one invalidates the others. */
export function createSetupLink(app: App): Promise<OneTimeLink> {
  return inTransaction(app, async (app) => {
    if (await isSetUp(app)) throw conflict('The platform is already set up: a person with a password exists.')
    return createLink(app, { path: '/setup', purpose: 'setup', user_id: null })
  })
}

export function createPasswordLink(app: App, userId: number): Promise<OneTimeLink> {
  return inTransaction(app, async (app) => {
    if ((await queries.findUser(app.db, userId)) === undefined) throw notFound('user', userId)
    return createLink(app, { path: '/reset-password', purpose: 'password', user_id: userId })
  })
}

/** Signs in the person who opens the link. For demos and test doubles. */
export function createSignInLink(app: App, userId: number): Promise<OneTimeLink> {
  return inTransaction(app, async (app) => {
    const user = await queries.findUser(app.db, userId)
    if (user === undefined) throw notFound('user', userId)
    if (user.disabled_at !== null) throw conflict(`${user.name} is disabled.`)
    return createLink(app, { path: '/sign-in', purpose: 'sign_in', user_id: userId })
  })
}

/** Other links for the same person stay valid. */
export function signInByLink(
  app: App,
  { code }: z.output<typeof SignInCode>,
  caller: AdminCaller,
): Promise<NewSession> {
  return inTransaction(app, async (app) => {
    const link = await queries.takeLink(app.db, hashSecret(code), 'sign_in')
    if (link === undefined || link.user_id === null || link.expires_at <= app.clock.now()) throw invalidLink()
    const user = await queries.findUser(app.db, link.user_id)
    if (user === undefined || user.disabled_at !== null) throw invalidLink()
    return openSession(app, user, caller)
  })
}

async function createLink(
  app: TxApp,
  { path, ...row }: { path: string; purpose: string; user_id: number | null },
): Promise<OneTimeLink> {
  const now = app.clock.now()
  const expires_at = now + linkLifetime
  await queries.deleteExpiredLinks(app.db, now)
  const code = Buffer.from(app.ids.bytes(32)).toString('base64url')
  await queries.insertLink(app.db, { ...row, code_hash: hashSecret(code), expires_at })
  return { link: `${path}?code=${code}`, expires_at: formatInstant(expires_at) }
}

/** Whether a link with this code is valid now. */
export async function isLink(app: App, purpose: 'setup' | 'password', code: string): Promise<boolean> {
  return (await findLink(app, purpose, code)) !== undefined
}

async function findLink(app: App, purpose: 'setup' | 'password', code: string) {
  // The index compares hashes, so lookup timing reveals nothing about the code.
  const link = await queries.findLink(app.db, hashSecret(code), purpose)
  if (link === undefined || link.expires_at <= app.clock.now()) return undefined
  return purpose === 'setup' && (await isSetUp(app)) ? undefined : link
}

const invalidLink = () => unauthorized('The link is not valid. It was used, has expired, or never existed.')

/** Creates the first person and the first workspace. Hashes the password before the transaction begins. */
export async function prepareSetup(
  app: App,
  { code, name, email, password, workspace }: z.output<typeof SetupInput>,
  caller: AdminCaller,
): Promise<(app: TxApp) => Promise<SetupResult>> {
  if (!(await isLink(app, 'setup', code))) throw invalidLink()
  const password_hash = await hashPassword(password)
  return async (app) => {
    await useLinks(app, 'setup', { code, userId: null })
    const user = await saveAdministrator(app, { name, email, password_hash })
    const createdWorkspace = await createWorkspace(app, { name: workspace, time_zone: 'UTC' })
    await addMember(app, { workspace_id: createdWorkspace.id, name, email, role: 'owner' })
    return { session: await openSession(app, user, caller), user: queries.toUser(user), workspace: createdWorkspace }
  }
}

/** An existing person with that e-mail address, such as a seed's ticket author, becomes the administrator. */
async function saveAdministrator(
  app: TxApp,
  { name, email, password_hash }: { name: string; email: string; password_hash: string },
): Promise<queries.UserRow> {
  const flags = { password_hash, is_instance_admin: 1 }
  const created = await queries.insertUser(app.db, { name, email, ...flags, created_at: app.clock.now() })
  if (created !== undefined) return created
  const existing = await queries.findByEmail(app.db, email)
  const updated = existing && (await queries.updateUser(app.db, existing.id, { name, ...flags, disabled_at: null }))
  if (updated === undefined) throw new Error('The user was deleted during set-up.')
  return updated
}

/** Sets a password with a link. Ends all sessions of the person and invalidates their other links. */
export async function preparePasswordReset(
  app: App,
  { code, password }: z.output<typeof PasswordResetInput>,
): Promise<(app: TxApp) => Promise<User>> {
  const userId = (await findLink(app, 'password', code))?.user_id
  if (userId === undefined || userId === null) throw invalidLink()
  const password_hash = await hashPassword(password)
  return async (app) => {
    await useLinks(app, 'password', { code, userId })
    await endSessions(app, { userId })
    const row = await queries.updateUser(app.db, userId, { password_hash })
    if (row === undefined) throw invalidLink()
    return queries.toUser(row)
  }
}

async function useLinks(app: TxApp, purpose: string, { code, userId }: { code: string; userId: number | null }) {
  const taken = await queries.takeLinks(app.db, { purpose, userId })
  if (!taken.some(({ code_hash }) => code_hash === hashSecret(code))) throw invalidLink()
}

/** Makes the configured person an administrator who can sign in. An existing password is kept. */
export async function ensureConfiguredAdministrator(app: App): Promise<void> {
  const { adminEmail: email, adminPassword } = app.config
  if (email === undefined || adminPassword === undefined) return
  const known = await queries.findByEmail(app.db, email)
  if (known !== undefined && known.password_hash !== null) return
  const password_hash = await hashPassword(adminPassword)
  const name = known?.name ?? email.slice(0, email.lastIndexOf('@'))
  await inTransaction(app, async (app) => {
    const now = await queries.findByEmail(app.db, email)
    if (now === undefined || now.password_hash === null) await saveAdministrator(app, { name, email, password_hash })
  })
}
