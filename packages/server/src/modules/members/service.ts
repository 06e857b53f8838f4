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

// As administration takes them, with the workspace, for code that has no path to name it.

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

/** Adds a person to a workspace; somebody with that e-mail keeps the name they have. */
export function addMember(app: App, person: NewPerson): Promise<Member> {
  return inTransaction(app, async (app) => addPerson(app, person))
}

async function addPerson(app: TxApp, { workspace_id, name, email, role = 'member' }: NewPerson): Promise<Member> {
  await getWorkspace(app, workspace_id)
  const created_at = app.clock.now()
  const user = await queries.upsertUser(app.db, { name, email, created_at })
  const added = await queries.insertMember(app.db, { workspace_id, user_id: user.id, role, created_at })
  if (!added) throw conflict(`${email} is a member of this workspace already.`)
  return { ...user, role, created_at: formatInstant(created_at) }
}

/**
 * The same for a caller who may know this workspace only: it calls the person as the caller does, whether or not the
 * address is that of somebody in another workspace, whose name stays unknown here.
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

/** The workspaces of a person, with their role. */
export async function listMemberships(app: App, userId: number) {
  const rows = await queries.listMemberships(app.db, userId)
  return rows.map((row) => ({ ...row, role: row.role as MemberRole })) // as below
}

/** A person is shown in each of their workspaces: who follows one is told. */
export async function noteWorkspacesOf(app: TxApp, userId: number): Promise<void> {
  app.store.noteWorkspaces((await listMemberships(app, userId)).map(({ id }) => id))
}

/** The role of a person in a workspace, or nothing. */
export const findRole = async (app: App, workspaceId: number, userId: number): Promise<MemberRole | undefined> =>
  (await queries.findRole(app.db, workspaceId, userId))?.role as MemberRole | undefined // as below

/** Members page by page, newest user first. */
export async function listMembers(app: App, workspaceId: number, page: Page): Promise<Member[]> {
  return (await queries.listMembers(app.db, workspaceId, page)).map(toMember)
}

export async function getMember(app: App, { workspaceId, id }: MemberAt): Promise<Member> {
  const row = await queries.findWithRole(app.db, workspaceId, id)
  if (row === undefined) throw notFound('member', id)
  return toMember(row)
}

const toMember = (row: Awaited<ReturnType<typeof queries.listMembers>>[number]): Member => ({
  ...row,
  role: row.role as MemberRole, // written by addMember and updateMember only
  created_at: formatInstant(row.created_at),
})

/** The member with this address, which is in lower case. */
export const findMemberByEmail = (app: App, workspaceId: number, email: string): Promise<Named | undefined> =>
  queries.findMemberByEmail(app.db, workspaceId, email)

/** The member's name, or nothing when the user is not in this workspace. */
export function findMember(app: App, workspaceId: number, userId: number): Promise<Named | undefined> {
  return queries.findMember(app.db, workspaceId, userId)
}

interface MemberAt {
  readonly workspaceId: number
  /** The user's. */
  readonly id: number
}

/** Only owners make owners, or change what one may do; so nobody else can raise their own role to the highest. */
function requireOwnerFor(caller: AdminCaller, ...roles: readonly (MemberRole | undefined)[]): void {
  if (roles.includes('owner') && !isAtLeast(caller.role, 'owner'))
    throw forbidden(`This needs the role owner; yours is ${caller.role}.`)
}

export function updateMember(
  app: App,
  caller: AdminCaller,
  { patch, ...at }: MemberAt & { readonly patch: z.output<typeof MemberPatch> },
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

/** Only the person, or who administers the instance, changes the name for all workspaces; others do so for their own. */
async function rename(app: TxApp, { role, user }: AdminCaller, { workspaceId, userId, name }: Renaming): Promise<void> {
  if (role !== 'instance' && user?.id !== userId)
    return void (await queries.setMemberName(app.db, { workspace_id: workspaceId, user_id: userId, name }))
  await queries.deleteMemberName(app.db, workspaceId, userId)
  await queries.updateUserName(app.db, userId, name)
  await noteWorkspacesOf(app, userId)
}

/** Removes a person from a workspace. What they made stays; their tokens there are revoked. */
export function deleteMember(app: App, caller: AdminCaller, at: MemberAt): Promise<{ readonly id: number }> {
  return inTransaction(app, async (app) => {
    const { id, role } = await getMember(app, at)
    requireOwnerFor(caller, role)
    if (role === 'owner') await requireOtherOwner(app, at)
    await revokeTokensOf(app, { workspaceId: at.workspaceId, userId: id })
    await queries.deleteMember(app.db, at.workspaceId, id)
    return { id }
  })
}

/** A workspace without an owner could be administered by nobody in it. */
async function requireOtherOwner(app: TxApp, { workspaceId, id }: MemberAt): Promise<void> {
  if ((await queries.findOtherOwner(app.db, workspaceId, id)) !== undefined) return
  throw conflict('This is the last owner of the workspace: make somebody else its owner first.')
}
