import { integerId, type Named } from '@service/contract'
import { MemberInput, type MemberPatch, type MemberRole } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { type AdminCaller, isAtLeast } from '../../core/admin-caller.ts'
import { formatInstant } from '../../core/clock.ts'
import { conflict, forbidden, notFound } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { inTransaction } from '../../store/transaction.ts'
import { revokeTokensOf } from '../tokens/revoke-service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as queries from './queries.ts'

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

async function addPerson(app: TxApp, { workspace_id, name, email, role = 'member' }: NewPerson): Promise<Member> {
  await getWorkspace(app, workspace_id)
  const created_at = app.clock.now()
  const user = await queries.upsertUser(app.db, { name, email, created_at })
  const added = await queries.insertMember(app.db, { workspace_id, user_id: user.id, role, created_at })
  if (!added) throw conflict(`${email} is already a member of this workspace.`)
  return { ...user, role, created_at: formatInstant(created_at) }
}

/**
 * Adds a person on behalf of a caller who may see only this workspace. The workspace uses the given name, so the
 * response does not reveal whether the address belongs to someone in another workspace.
 */
export function addMemberAs(app: App, caller: AdminCaller, person: NewPerson): Promise<Member> {
  requireOwnerFor(caller, person.role)
  if (caller.role === 'instance') return addMember(app, person)
  return inTransaction(app, async (app) => {
    const member = await addPerson(app, person)
    const { workspace_id, name } = person
    await queries.setMemberName(app.db, { workspace_id, user_id: member.id, name })
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

/** Notifies every workspace of a person, because each one shows them. */
export async function noteWorkspacesOf(app: TxApp, userId: number): Promise<void> {
  app.store.noteWorkspaces((await listMemberships(app, [userId])).map(({ workspace }) => workspace.id))
}

/** The role of a person in a workspace; undefined if they are not a member. */
export const findRole = async (app: App, workspaceId: number, userId: number): Promise<MemberRole | undefined> =>
  (await queries.findRole(app.db, workspaceId, userId))?.role as MemberRole | undefined // as below

/** Members, newest user first. */
export async function listMembers(app: App, workspaceId: number, page: Page): Promise<Member[]> {
  return (await queries.listMembers(app.db, workspaceId, page)).map(toMember)
}

export async function getMember(app: App, { workspaceId, id }: MemberRef): Promise<Member> {
  const row = await queries.findWithRole(app.db, workspaceId, id)
  if (row === undefined) throw notFound('member', id)
  return toMember(row)
}

const toMember = (row: Awaited<ReturnType<typeof queries.listMembers>>[number]): Member => ({
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

interface MemberRef {
  readonly workspaceId: number
  /** The user id. */
  readonly id: number
}

/** Only owners can grant or change the owner role, so no one else can promote themselves to it. */
function requireOwnerFor(caller: AdminCaller, ...roles: readonly (MemberRole | undefined)[]): void {
  if (roles.includes('owner') && !isAtLeast(caller.role, 'owner'))
    throw forbidden(`This needs the role owner; yours is ${caller.role}.`)
}

export function updateMember(
  app: App,
  caller: AdminCaller,
  { patch, ...at }: MemberRef & { readonly patch: z.output<typeof MemberPatch> },
): Promise<Member> {
  return inTransaction(app, async (app) => {
    const { role } = await getMember(app, at)
    if (patch.role !== undefined) requireOwnerFor(caller, role, patch.role)
    if (role === 'owner' && patch.role !== undefined && patch.role !== 'owner') await requireOtherOwner(app, at)
    const { workspaceId, id: userId } = at
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
  if (role !== 'instance' && user?.id !== userId)
    return void (await queries.setMemberName(app.db, { workspace_id: workspaceId, user_id: userId, name }))
  await queries.deleteMemberName(app.db, workspaceId, userId)
  await queries.updateUserName(app.db, userId, name)
  await noteWorkspacesOf(app, userId)
}

/** Removes a person from a workspace. Their records stay; their tokens there are revoked. */
export function deleteMember(app: App, caller: AdminCaller, at: MemberRef): Promise<{ readonly id: number }> {
  return inTransaction(app, async (app) => {
    const { id, role } = await getMember(app, at)
    requireOwnerFor(caller, role)
    if (role === 'owner') await requireOtherOwner(app, at)
    await revokeTokensOf(app, { workspaceId: at.workspaceId, userId: id })
    await queries.deleteMember(app.db, at.workspaceId, id)
    return { id }
  })
}

/** A workspace must keep at least one owner to administer it. */
async function requireOtherOwner(app: TxApp, { workspaceId, id }: MemberRef): Promise<void> {
  if ((await queries.findOtherOwner(app.db, workspaceId, id)) !== undefined) return
  throw conflict('This is the last owner of the workspace. Make another member an owner first.')
}
