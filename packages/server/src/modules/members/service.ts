import type { Named } from '@service/contract'
import type * as z from 'zod/mini'
import { conflict, notFound } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { toInstant } from '../../instants.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import type { MemberPatch, NewMember, Role } from './input.ts'
import * as queries from './queries.ts'

/** A user as a member of one workspace; `id` is the user's id. */
export interface Member {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
}

/** Adds a person to a workspace; somebody with that e-mail keeps the name they have. */
export function addMember(app: App, { workspace_id, name, email, role }: z.output<typeof NewMember>): Promise<Member> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    const created_at = app.clock.now()
    const user = await queries.upsertUser(app.db, { name, email, created_at })
    const added = await queries.insertMember(app.db, { workspace_id, user_id: user.id, role, created_at })
    if (!added) throw conflict(`${email} is a member of this workspace already.`)
    return { ...user, role, created_at: toInstant(created_at) }
  })
}

export async function listMembers(app: App, workspaceId: number): Promise<Member[]> {
  const rows = await queries.listMembers(app.db, workspaceId)
  return rows.map((row) => ({ ...row, role: row.role as Role, created_at: toInstant(row.created_at) })) // written by addMember only
}

/** The member's name, or nothing when the user is not in this workspace. */
export function findMember(app: App, workspaceId: number, userId: number): Promise<Named | undefined> {
  return queries.findMember(app.db, workspaceId, userId)
}

export async function updateMember(
  app: App,
  { workspaceId, userId }: { workspaceId: number; userId: number },
  patch: z.output<typeof MemberPatch>,
): Promise<Member> {
  return inTransaction(app, async (app) => {
    if ((await findMember(app, workspaceId, userId)) === undefined) throw notFound('member', userId)
    if (patch.role !== undefined) await queries.updateMember(app.db, { workspaceId, userId, role: patch.role })
    if (patch.name !== undefined) await queries.updateUserName(app.db, userId, patch.name)
    const member = (await listMembers(app, workspaceId)).find(({ id }) => id === userId)
    if (member === undefined) throw notFound('member', userId)
    return member
  })
}
