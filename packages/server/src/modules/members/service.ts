import { integerId, type Named } from '@service/contract'
import type { ListedMember } from '@service/contract/admin/people'
import { MemberInput, type MemberPatch, type MemberRole } from '@service/contract/admin/people-input'
import type { AccountQuery } from '@service/contract/admin/users'
import * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { type AdminCaller, isAtLeast } from '../../core/admin-caller.ts'
import { formatInstant, formatInstantOrNull } from '../../core/clock.ts'
import { conflict, forbidden, notFound } from '../../core/errors.ts'
import { type FoundRows, mapRows, type SearchedPage } from '../../core/pagination.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction, lockText } from '../../store/transaction.ts'
import { revokeMemberTokens, revokeTokensCreatedBy } from '../token-revocation/service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { renameInWorkspace, renamePerson } from './name-service.ts'
import * as queries from './queries.ts'

/** The names of the people who edit a ticket, in alphabetical order, without those who may not change it any more. */
export async function listEditorNames(app: App, workspaceId: number, userIds: readonly number[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const rows = await queries.listNamesOfEditors(app.db, workspaceId, userIds)
  return rows.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b, 'en'))
}

// The API inputs plus the workspace id, for callers without a path.

export const NewMember = z.extend(MemberInput, { workspace_id: integerId })
export type NewMember = z.input<typeof NewMember>

/** A user as a member of one workspace; `id` is the user's id. */
export interface Member {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role: MemberRole
  readonly created_at: string
}

type NewPerson = Omit<z.output<typeof NewMember>, 'role'> & { readonly role?: MemberRole }

/** Adds a person to a workspace. An existing person with that e-mail keeps their name. */
export function addMember(app: App, person: NewPerson): Promise<Member> {
  return inTransaction(app, async (app) => addPerson(app, person))
}

/** Changes of members, their roles, and their tokens happen one after another, so that what one checks stays true. */
export const lockMembers = (app: TxApp, workspaceId: number) => lockText(app, `members of workspace ${workspaceId}`)

async function addPerson(app: TxApp, { workspace_id, name, email, role = 'member' }: NewPerson): Promise<Member> {
  await lockMembers(app, workspace_id)
  await getWorkspace(app, workspace_id)
  await requireRoom(app, 'members', workspace_id)
  const created_at = app.clock.now()
  const user = await queries.upsertUser(app.db, { name, email, created_at })
  const added = await queries.insertMember(app.db, { workspace_id, user_id: user.id, role, created_at })
  if (!added) throw conflict('The person with this e-mail address is already a member of this workspace.')
  await queries.endInvitationsElsewhere(app.db, { workspaceId: workspace_id, userId: user.id })
  return { ...user, role, created_at: formatInstant(created_at) }
}

/**
 * Adds a person on behalf of a caller who may see only this workspace. The workspace uses the given name, so the
 * response does not reveal whether the address belongs to someone in another workspace.
 */
export function addMemberAs(app: App, caller: AdminCaller, person: NewPerson): Promise<Member> {
  if (caller.role === 'instance') return addMember(app, person)
  return inTransaction(app, async (app) => {
    await lockMembers(app, person.workspace_id)
    await requireOwnerFor(app, caller, { workspaceId: person.workspace_id, roles: [person.role] })
    const member = await addPerson(app, person)
    const { workspace_id, name } = person
    await renameInWorkspace(app, { workspaceId: workspace_id, userId: member.id, name })
    return { ...member, name }
  })
}

/** The workspaces and roles of people, disabled workspaces included. */
export async function listMemberships(app: App, userIds: readonly number[]) {
  const rows = userIds.length === 0 ? [] : await queries.listMemberships(app.db, userIds)
  return rows.map(({ user_id, disabled_at, role, ...workspace }) => ({
    userId: user_id,
    isDisabled: disabled_at !== null,
    workspace: { ...workspace, role: role as MemberRole }, // as below
  }))
}

/** The workspaces of a person that are not disabled: those with the ids in `first`, then the newest. */
export async function listOwnWorkspaces(
  { store }: App,
  userId: number,
  { workspaces: limit, search, first = '' }: AccountQuery,
) {
  const ids = first.split(',').map(Number).slice(0, limit)
  const chosen = first === '' ? [] : await queries.listOwn(store, userId, { ids })
  const others = await queries.listOwn(store, userId, { search, limit })
  const inOrder = ids.flatMap((id) => chosen.filter((workspace) => workspace.id === id))
  const rest = others.filter(({ id }) => !ids.includes(id))
  return [...inOrder, ...rest].slice(0, limit).map(({ role, ...row }) => ({ ...row, role: role as MemberRole })) // as below
}

/** The role of a person in a workspace; undefined if they are not a member. */
export const findRole = async (app: App, workspaceId: number, userId: number): Promise<MemberRole | undefined> =>
  (await queries.findRole(app.db, workspaceId, userId))?.role as MemberRole | undefined // as below

/** Members, newest user first. */
export async function listMembers(app: App, workspaceId: number, page: SearchedPage): Promise<FoundRows<ListedMember>> {
  const rows = await queries.listMembers(app.store, workspaceId, page)
  const invited = await findInvited(
    app,
    rows.filter(({ password_hash, is_instance_admin }) => password_hash === null && is_instance_admin === 0),
  )
  return mapRows(rows, ({ password_hash: _, is_instance_admin: __, disabled_at, ...row }) => ({
    ...toMember(row),
    invitation: invited.get(row.id) ?? null,
    disabled_at: formatInstantOrNull(disabled_at),
  }))
}

/** People who belong to no other workspace, and when their link expires. */
async function findInvited(app: App, people: readonly { readonly id: number }[]) {
  if (people.length === 0) return new Map<number, ListedMember['invitation']>()
  const ids = people.map(({ id }) => id)
  const memberships = Map.groupBy(await listMemberships(app, ids), ({ userId }) => userId)
  const expiries = new Map(
    (await queries.listLinkExpiries(app.db, ids, app.clock.now())).map((row) => [row.user_id, row.expires_at]),
  )
  return new Map(
    ids
      .filter((id) => memberships.get(id)?.length === 1)
      .map((id) => [id, { expires_at: formatInstantOrNull(expiries.get(id) ?? null) }]),
  )
}

export async function getMember(app: App, { workspaceId, id }: MemberRef): Promise<Member> {
  const row = await queries.findWithRole(app.db, workspaceId, id)
  if (row === undefined) throw notFound('member', id)
  return toMember(row)
}

const toMember = (row: NonNullable<Awaited<ReturnType<typeof queries.findWithRole>>>): Member => ({
  ...row,
  role: row.role as MemberRole, // written only by addMember and updateMember
  created_at: formatInstant(row.created_at),
})

/** The member with this lower-case address. */
export const findMemberByEmail = (app: App, workspaceId: number, email: string): Promise<Named | undefined> =>
  queries.findMemberByEmail(app.db, workspaceId, email)

/** The member's name; undefined if the user is not in this workspace. */
export function findMember(app: App, workspaceId: number, userId: number): Promise<Named | undefined> {
  return queries.findMember(app.db, workspaceId, userId)
}

export const listMemberNames = (app: App, workspaceId: number): Promise<Named[]> =>
  queries.listMemberNames(app.db, workspaceId)

/** The name under which a workspace shows a user, who may have left it. */
export const findName = (app: App, workspaceId: number, userId: number): Promise<Named | undefined> =>
  queries.findName(app.db, workspaceId, userId)

/** The author of a record: a member, or the acting administrator of the instance, who need not be one. */
export const findAuthor = async (app: App, workspaceId: number, userId: number): Promise<Named | undefined> =>
  app.actor?.kind === 'user' && app.actor.id === userId
    ? findName(app, workspaceId, userId)
    : findMember(app, workspaceId, userId)

interface MemberRef {
  readonly workspaceId: number
  /** The user id. */
  readonly id: number
}

interface RoleChange {
  readonly workspaceId: number
  /** The roles before and after. */
  readonly roles: readonly (MemberRole | undefined)[]
}

/**
 * Only owners can grant or change the owner role, so no one else can promote themselves to it. The caller's role is
 * read again under the lock, because another owner may have changed it since the request was authorized.
 */
async function requireOwnerFor(app: TxApp, caller: AdminCaller, { workspaceId, roles }: RoleChange): Promise<void> {
  if (!roles.includes('owner') || caller.role === 'instance') return
  const role = caller.user && (await findRole(app, workspaceId, caller.user.id))
  if (role === undefined || !isAtLeast(role, 'owner'))
    throw forbidden(`This needs the role owner; yours is ${role ?? 'none'}.`)
}

export function updateMember(
  app: App,
  caller: AdminCaller,
  { patch, ...at }: MemberRef & { readonly patch: z.output<typeof MemberPatch> },
): Promise<Member> {
  return inTransaction(app, async (app) => {
    const { workspaceId, id: userId } = at
    await lockMembers(app, workspaceId)
    const { role } = await getMember(app, at)
    if (patch.role !== undefined) await requireOwnerFor(app, caller, { workspaceId, roles: [role, patch.role] })
    if (role === 'owner' && patch.role !== undefined && patch.role !== 'owner') await requireOtherOwner(app, at)
    if (patch.role !== undefined && !isAtLeast(patch.role, role)) {
      await revokeTokensCreatedBy(app, { workspaceId, userId })
      await queries.endInvitationsBy(app.db, { workspaceId, userId })
    }
    if (patch.role !== undefined) await queries.updateMember(app.db, { workspaceId, userId, role: patch.role })
    if (patch.name !== undefined) await rename(app, caller, { workspaceId, userId, name: patch.name })
    return getMember(app, at)
  })
}

interface Renaming {
  readonly workspaceId: number
  readonly userId: number
  readonly name: string
}

/** Only the person or an instance administrator changes the global name. Others change it for their workspace only. */
async function rename(app: TxApp, { role, user }: AdminCaller, { workspaceId, userId, name }: Renaming): Promise<void> {
  if (role !== 'instance' && user?.id !== userId) return renameInWorkspace(app, { workspaceId, userId, name })
  await renameInWorkspace(app, { workspaceId, userId, name: null })
  await renamePerson(app, userId, name)
}

/** Removes a person from a workspace. Their records stay; their tokens there are revoked. */
export function deleteMember(app: App, caller: AdminCaller, at: MemberRef): Promise<{ readonly id: number }> {
  return inTransaction(app, async (app) => {
    const { workspaceId } = at
    await lockMembers(app, workspaceId)
    const { id, role } = await getMember(app, at)
    await requireOwnerFor(app, caller, { workspaceId, roles: [role] })
    if (role === 'owner') await requireOtherOwner(app, at)
    await revokeMemberTokens(app, { workspaceId, userId: id })
    await revokeTokensCreatedBy(app, { workspaceId, userId: id })
    await queries.endInvitationsBy(app.db, { workspaceId, userId: id })
    await queries.endInvitationsTo(app.db, { workspaceId, userId: id })
    await queries.deleteMember(app.db, workspaceId, id)
    return { id }
  })
}

/** A workspace must keep an owner who can administer it. Only the instance's administrators may leave it without one. */
async function requireOtherOwner(app: TxApp, { workspaceId, id }: MemberRef): Promise<void> {
  if ((await queries.findOtherOwner(app.db, workspaceId, id)) !== undefined) return
  throw conflict('This is the last owner of the workspace who is not disabled. Make another member an owner first.')
}
