import type { TxApp } from '../../context.ts'
import { lockText } from '../../store/transaction.ts'
import * as queries from './queries.ts'

// Employees are found by the name that their workspace shows and by their address. An index cannot cover other tables,
// so the profile has a copy of both. Every change of a name goes through these functions, which renew it.

interface MemberRef {
  readonly workspaceId: number
  readonly userId: number
}

/**
 * Changes of a person's names, and of what they can sign in with, happen one after another. Each reads its preconditions
 * after taking the lock, so that a reset also ends a session or token that is created at the same moment.
 */
export const lockPerson = (app: TxApp, userId: number) => lockText(app, `person ${userId}`)

/** Changes a person's own name. Workspaces that have another name for them keep it. */
export async function renamePerson(app: TxApp, userId: number, name: string): Promise<void> {
  await lockPerson(app, userId)
  await queries.updateUserName(app.db, userId, name)
  const employers = await queries.listEmployers(app.db, userId)
  for (const workspaceId of employers) await queries.updatePersonText(app.db, { workspaceId, userId })
  app.store.noteWorkspaces(employers)
  await notePersonWorkspaces(app, userId)
}

/** Changes the workspace's own name for a person; null restores the name of the person. */
export async function renameInWorkspace(app: TxApp, member: MemberRef & { readonly name: string | null }) {
  const { workspaceId, userId, name } = member
  await lockPerson(app, userId)
  if (name === null) await queries.deleteMemberName(app.db, workspaceId, userId)
  else await queries.setMemberName(app.db, { workspace_id: workspaceId, user_id: userId, name })
  await queries.updatePersonText(app.db, { workspaceId, userId })
}

/** Writes the name and the address by which a new employee is found. */
export async function writePersonText(app: TxApp, employee: MemberRef): Promise<void> {
  await lockPerson(app, employee.userId)
  await queries.updatePersonText(app.db, employee)
}

/** Notifies every workspace of a person, because each one shows them. */
export async function notePersonWorkspaces(app: TxApp, userId: number): Promise<void> {
  app.store.noteWorkspaces((await queries.listMemberships(app.db, [userId])).map(({ id }) => id))
}
