import type { Named } from '@service/contract'
import type {
  NewSession,
  OneTimeLink,
  PasswordLinkInput,
  PasswordResetInput,
  SetupInput,
  SetupResult,
  SignInCode,
  User,
} from '@service/contract/admin/users'
import type * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { formatInstant, microsPerDay, microsPerHour } from '../../core/clock.ts'
import { conflict, forbidden, notFound, unauthorized } from '../../core/errors.ts'
import { hashSecret, randomText } from '../../core/ids.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction, lockText } from '../../store/transaction.ts'
import { lockPerson, renamePerson } from '../members/name-service.ts'
import { addMember, findName, findRole, getMember, listMemberships } from '../members/service.ts'
import { createWorkspace } from '../workspaces/service.ts'
import { isAdministrator, lockAdministrators } from './administrators.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { endSessions, openSession, revokePersonalTokens } from './session-service.ts'

// One-time links. The code is the credential, so only its SHA-256 is stored, and it expires: after one hour, or
// after seven days for a person who has no password yet.

const linkLifetime = microsPerHour
const invitationLifetime = 7 * microsPerDay

/** Whether someone has a password and can sign in. */
export const isSetUp = async (app: App): Promise<boolean> => (await queries.findAnyPassword(app.db)) !== undefined

const lockSetup = (app: TxApp) => lockText(app, 'set-up')

/** For the first person. Each node may have a valid link; using one invalidates the others. */
export function createSetupLink(app: App): Promise<OneTimeLink> {
  return inTransaction(app, async (app) => {
    await lockSetup(app)
    if (await isSetUp(app)) throw conflict('The platform is already set up: a person with a password exists.')
    return createLink(app, { path: '/setup', purpose: 'setup', user_id: null, created_by: null })
  })
}

interface LinkRequest extends z.output<typeof PasswordLinkInput> {
  readonly userId: number
  readonly caller: AdminCaller
}

/** The old password and its sessions stay valid until the link is used. Personal tokens end now, unless they are kept. */
export function createPasswordLink(
  app: App,
  { userId, caller, end_personal_tokens }: LinkRequest,
): Promise<OneTimeLink> {
  return inTransaction(app, async (app) => {
    await lockPerson(app, userId)
    const user = await queries.findUser(app.db, userId)
    if (user === undefined) throw notFound('user', userId)
    if (end_personal_tokens) await revokePersonalTokens(app, userId)
    const created_by = await requireCreator(app, caller)
    return createLink(app, { ...toPasswordLink(user), created_by })
  })
}

const toPasswordLink = ({ id, password_hash }: queries.UserRow) => ({
  path: '/reset-password',
  purpose: 'password',
  user_id: id,
  lifetime: password_hash === null ? invitationLifetime : linkLifetime,
})

interface InvitationRequest {
  readonly workspaceId: number
  /** The user id of the member. */
  readonly id: number
  readonly caller: AdminCaller
}

/** A link for a member without a password to choose one. It replaces earlier ones. */
export function createInvitation(app: App, { workspaceId, id, caller }: InvitationRequest): Promise<OneTimeLink> {
  return inTransaction(app, async (app) => {
    await lockPerson(app, id)
    await getMember(app, { workspaceId, id })
    const user = await queries.findUser(app.db, id)
    const isInvitable = user !== undefined && user.password_hash === null && user.disabled_at === null
    if (!isInvitable || (caller.role !== 'instance' && !(await belongsOnlyTo(app, user, workspaceId))))
      throw conflict(
        'This person has a password or another workspace. If they cannot sign in, an administrator of the instance creates a link.',
      )
    await queries.deletePasswordLinks(app.db, id)
    return createLink(app, {
      ...toPasswordLink(user),
      created_by: caller.user?.id ?? null,
      invited_to: workspaceId,
    })
  })
}

/** Otherwise the link of an owner would open what the owner may not open. */
async function belongsOnlyTo(app: App, user: queries.UserRow, workspaceId: number): Promise<boolean> {
  const memberships = await listMemberships(app, [user.id])
  return user.is_instance_admin === 0 && memberships.every(({ workspace }) => workspace.id === workspaceId)
}

/**
 * Whether the person still belongs to the workspace of the invitation, and its creator may still invite them: an
 * administrator of the instance, or an owner if it is their only workspace.
 */
async function isOpenInvitation(app: App, link: NonNullable<Awaited<ReturnType<typeof queries.findLink>>>) {
  const { user_id, created_by, invited_to } = link
  if (invited_to === null || user_id === null) return true
  const user = await queries.findUser(app.db, user_id)
  if (user === undefined || user.password_hash !== null || user.disabled_at !== null) return false
  if ((await findRole(app, invited_to, user_id)) === undefined) return false
  if (created_by === null) return true
  const creator = await queries.findUser(app.db, created_by)
  if (creator === undefined || creator.disabled_at !== null) return false
  if (creator.is_instance_admin === 1) return true
  return (await findRole(app, invited_to, created_by)) === 'owner' && belongsOnlyTo(app, user, invited_to)
}

/** Whom a password link greets: a person without a password, in the workspace of the invitation, or in their first one. */
export async function findInvitation(app: App, code: string): Promise<Invitation | undefined> {
  const link = await findLink(app, 'password', code)
  const user = typeof link?.user_id === 'number' ? await queries.findUser(app.db, link.user_id) : undefined
  if (user === undefined || user.password_hash !== null) return undefined
  const memberships = await listMemberships(app, [user.id])
  const membership = memberships.find(({ workspace }) => workspace.id === link?.invited_to) ?? memberships[0]
  if (membership === undefined) return undefined
  const { workspace } = membership
  return { name: (await findName(app, workspace.id, user.id))?.name ?? user.name, workspace }
}

interface Invitation {
  readonly name: string
  readonly workspace: Named
}

/** The person who creates a link, if they still administer the instance; null if the caller is not a person. */
async function requireCreator(app: TxApp, { user }: AdminCaller): Promise<number | null> {
  if (user === undefined) return null
  await lockAdministrators(app)
  if (!(await isAdministrator(app, user.id))) throw forbidden('This needs the role instance.')
  return user.id
}

/** Signs in the person who opens the link. For demos and test doubles. */
export function createSignInLink(
  app: App,
  { userId, caller }: Pick<LinkRequest, 'userId' | 'caller'>,
): Promise<OneTimeLink> {
  return inTransaction(app, async (app) => {
    await lockPerson(app, userId)
    const user = await queries.findUser(app.db, userId)
    if (user === undefined) throw notFound('user', userId)
    if (user.disabled_at !== null) throw conflict(`${user.name} is disabled.`)
    const created_by = await requireCreator(app, caller)
    return createLink(app, { path: '/sign-in', purpose: 'sign_in', user_id: userId, created_by })
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

interface NewLink {
  readonly path: string
  readonly purpose: string
  readonly user_id: number | null
  readonly created_by: number | null
  readonly invited_to?: number | null
  readonly lifetime?: number
}

async function createLink(
  app: TxApp,
  { path, lifetime = linkLifetime, invited_to = null, ...row }: NewLink,
): Promise<OneTimeLink> {
  const now = app.clock.now()
  const expires_at = now + lifetime
  await queries.deleteExpiredLinks(app.db, now)
  if (row.user_id !== null) await requireRoom(app, 'links', row.user_id)
  const code = randomText(app.ids)
  await queries.insertLink(app.db, { ...row, invited_to, code_hash: hashSecret(code), expires_at })
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
  if (purpose === 'setup') return (await isSetUp(app)) ? undefined : link
  return (await isOpenInvitation(app, link)) ? link : undefined
}

const invalidLink = () => unauthorized('The link is not valid. It was used, has expired, or never existed.')

/** Creates the first person and the first workspace. Hashes the password before the transaction begins. */
export async function prepareSetup(
  app: App,
  { code, name, email, password, workspace, time_zone }: z.output<typeof SetupInput>,
  caller: AdminCaller,
): Promise<(app: TxApp) => Promise<SetupResult>> {
  if (!(await isLink(app, 'setup', code))) throw invalidLink()
  const password_hash = await hashPassword(password, { caller: 'set-up' })
  return async (app) => {
    await lockSetup(app)
    if (await isSetUp(app)) throw invalidLink()
    await useLinks(app, 'setup', { code, userId: null })
    const user = await saveAdministrator(app, { name, email, password_hash })
    const createdWorkspace = await createWorkspace(app, { name: workspace, time_zone })
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
  if (existing !== undefined) await renamePerson(app, existing.id, name)
  const updated = existing && (await queries.updateUser(app.db, existing.id, { ...flags, disabled_at: null }))
  if (updated === undefined) throw new Error('The user was deleted during set-up.')
  return updated
}

/** Sets a password with a link. Ends all sessions, other links, and, unless they are kept, personal tokens. */
export async function preparePasswordReset(
  app: App,
  { code, password, end_personal_tokens }: z.output<typeof PasswordResetInput>,
): Promise<(app: TxApp) => Promise<User>> {
  const userId = (await findLink(app, 'password', code))?.user_id
  if (userId === undefined || userId === null) throw invalidLink()
  const password_hash = await hashPassword(password, { caller: `person:${userId}` })
  return async (app) => {
    await lockPerson(app, userId)
    if (!(await isLink(app, 'password', code))) throw invalidLink()
    await useLinks(app, 'password', { code, userId })
    await queries.deleteUserLinks(app.db, userId)
    await endSessions(app, { userId })
    if (end_personal_tokens) await revokePersonalTokens(app, userId)
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
  const password_hash = await hashPassword(adminPassword, { caller: 'set-up' })
  const name = known?.name ?? email.slice(0, email.lastIndexOf('@'))
  await inTransaction(app, async (app) => {
    await lockSetup(app)
    const now = await queries.findByEmail(app.db, email)
    if (now === undefined || now.password_hash === null) await saveAdministrator(app, { name, email, password_hash })
  })
}
