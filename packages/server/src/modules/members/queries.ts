import { type Insertable, sql } from 'kysely'
import type { SearchedPage } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { listFiltered } from '../../store/filtered-list.ts'
import { containsText, memberName, whereText } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { MemberNamesTable, SharedViewsTable } from './table.ts'

/** Inserts the user, or returns the existing one with that e-mail. */
export const upsertUser = (db: Db, row: { name: string; email: string; created_at: number }) =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doUpdateSet((set) => ({ email: set.ref('excluded.email') })))
    .returning(['id', 'name', 'email'])
    .executeTakeFirstOrThrow()

/** Returns false if the user is already a member. */
export async function insertMember(
  db: Db,
  row: { workspace_id: number; user_id: number; role: string; created_at: number },
): Promise<boolean> {
  const result = await db
    .insertInto('members')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute()
  return result.length > 0
}

const memberById = prepared<{ workspaceId: number; userId: number }, { id: number; name: string }>((db, param) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', memberName(param('workspaceId'), 'users').as('name')])
    .where('members.workspace_id', '=', param('workspaceId'))
    .where('members.user_id', '=', param('userId')),
)

export const findMember = async (db: Db, workspaceId: number, userId: number) =>
  (await memberById(db, { workspaceId, userId }))[0]

/** The name of any user, as the workspace shows it. */
export const findName = (db: Db, workspaceId: number, userId: number) =>
  db
    .selectFrom('users')
    .select(['users.id', memberName(workspaceId, 'users').as('name')])
    .where('users.id', '=', userId)
    .executeTakeFirst()

/** The names of those of these people who may change a ticket of the workspace. */
export const listNamesOfEditors = (db: Db, workspaceId: number, userIds: readonly number[]) =>
  db
    .selectFrom('users')
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'users.id').on('members.workspace_id', '=', workspaceId),
    )
    .select(memberName(workspaceId, 'users').as('name'))
    .where('users.id', 'in', userIds)
    .where('users.disabled_at', 'is', null)
    .where((is) => is.or([is('members.role', '!=', 'viewer'), is('users.is_instance_admin', '=', 1)]))
    .execute()

const membersWithRoles = (db: Db, workspaceId: number) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([
      'users.id',
      memberName(workspaceId, 'users').as('name'),
      'users.email',
      'members.role',
      'members.created_at',
    ])
    .where('members.workspace_id', '=', workspaceId)

/** `search` matches part of the name or e-mail address. */
export const listMembers = ({ dialect, db }: Store, workspaceId: number, { search, ...page }: SearchedPage) =>
  listFiltered(dialect, {
    all: membersWithRoles(db, workspaceId).select([
      'users.is_instance_admin',
      'users.password_hash',
      'users.disabled_at',
    ]),
    keys: db.selectFrom('members').where('members.workspace_id', '=', workspaceId),
    page,
    orders: {},
    id: 'members.user_id',
    filters: {},
    where: whereText(dialect, [memberName(workspaceId, 'users'), sql.ref('users.email')], search),
  })

/** All members by name. */
export const listMemberNames = (db: Db, workspaceId: number) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', memberName(workspaceId, 'users').as('name')])
    .where('members.workspace_id', '=', workspaceId)
    .execute()

/** When the password links of these people expire. */
export const listLinkExpiries = (db: Db, userIds: readonly number[], now: number) =>
  db
    .selectFrom('one_time_links')
    .select(({ fn }) => ['user_id', fn.max('expires_at').as('expires_at')])
    .where('purpose', '=', 'password')
    .where('user_id', 'in', userIds)
    .where('expires_at', '>', now)
    .groupBy('user_id')
    .execute()

const invitations = (db: Db) =>
  db.deleteFrom('one_time_links').where('purpose', '=', 'password').where('invited_to', 'is not', null)

/** Those by owners. Administrators of the instance may invite whom owners may not. */
const invitationsOfOwners = (db: Db) =>
  invitations(db).where(({ exists, selectFrom }) =>
    exists(
      selectFrom('users')
        .select('id')
        .whereRef('users.id', '=', 'one_time_links.created_by')
        .where('is_instance_admin', '=', 0),
    ),
  )

interface InvitationRef {
  readonly workspaceId: number
  readonly userId: number
}

/** Ends the links with which a person was to join a workspace that they leave. */
export const endInvitationsTo = (db: Db, { workspaceId, userId }: InvitationRef) =>
  invitations(db).where('invited_to', '=', workspaceId).where('user_id', '=', userId).execute()

/** Ends the links that a person created as an owner of a workspace. */
export const endInvitationsBy = (db: Db, { workspaceId, userId }: InvitationRef) =>
  invitationsOfOwners(db).where('invited_to', '=', workspaceId).where('created_by', '=', userId).execute()

/** Ends the links to other workspaces of a person who is added to one. */
export const endInvitationsElsewhere = (db: Db, { workspaceId, userId }: InvitationRef) =>
  invitationsOfOwners(db).where('invited_to', '!=', workspaceId).where('user_id', '=', userId).execute()

export const findWithRole = (db: Db, workspaceId: number, userId: number) =>
  membersWithRoles(db, workspaceId).where('users.id', '=', userId).executeTakeFirst()

export const findMemberByEmail = (db: Db, workspaceId: number, email: string) =>
  membersWithRoles(db, workspaceId).where('users.email', '=', email).executeTakeFirst()

/** Whether there is another owner who is not disabled. */
export const findOtherOwner = (db: Db, workspaceId: number, userId: number) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .where('users.disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()

export const deleteMember = (db: Db, workspaceId: number, userId: number) =>
  db.deleteFrom('members').where('workspace_id', '=', workspaceId).where('user_id', '=', userId).execute()

export const updateMember = (
  db: Db,
  { workspaceId, userId, role }: { workspaceId: number; userId: number; role: string },
) =>
  db
    .updateTable('members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()

export const updateUserName = (db: Db, userId: number, name: string) =>
  db.updateTable('users').set({ name }).where('id', '=', userId).execute()

/** The workspaces where a person is an employee, which need not be those where they are still a member. */
export async function listEmployers(db: Db, userId: number): Promise<number[]> {
  const employees = db.selectFrom('employees').select('workspace_id').where('user_id', '=', userId)
  const rows = await employees.modifyEnd(acrossWorkspaces('membership')).execute()
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Copies the person's name in the workspace and their address to their profile, if they are an employee. */
export const updatePersonText = (db: Db, { workspaceId, userId }: { workspaceId: number; userId: number }) =>
  db
    .updateTable('employees')
    .set({
      person_text: sql<string>`(select coalesce((
          select member_names.name from member_names
          where member_names.workspace_id = ${workspaceId} and member_names.user_id = users.id
        ), users.name) || ' ' || users.email from users where users.id = ${userId})`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()

/** The role in a workspace that is not disabled. */
export const findRole = (db: Db, workspaceId: number, userId: number) =>
  db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('workspaces.disabled_at', 'is', null)
    .executeTakeFirst()

export const listMemberships = (db: Db, userIds: readonly number[]) =>
  db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['members.user_id', 'workspaces.id', 'workspaces.name', 'members.role', 'workspaces.disabled_at'])
    .where('members.user_id', 'in', userIds)
    .orderBy('workspaces.id')
    .modifyEnd(acrossWorkspaces('membership'))
    .execute()

interface OwnWorkspaces {
  readonly ids?: readonly number[]
  readonly search?: string | undefined
  readonly limit?: number | undefined
}

/** The workspaces of a person that are not disabled, newest first if limited, else oldest first. */
export const listOwn = ({ dialect, db }: Store, userId: number, { ids, search, limit }: OwnWorkspaces) =>
  db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['workspaces.id', 'workspaces.name', 'members.role'])
    .where('members.user_id', '=', userId)
    .where('workspaces.disabled_at', 'is', null)
    .$if(ids !== undefined, (own) => own.where('members.workspace_id', 'in', ids ?? []))
    .$if(search !== undefined, (own) => own.where(containsText(dialect, sql.ref('workspaces.name'), search ?? '')))
    .orderBy('workspaces.id', limit === undefined ? 'asc' : 'desc')
    .$if(limit !== undefined, (own) => own.limit(limit ?? 0))
    .modifyEnd(acrossWorkspaces('membership'))
    .execute()

/** Sets the workspace's display name for a person. */
export const setMemberName = (db: Db, row: MemberNamesTable) =>
  db
    .insertInto('member_names')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet({ name: row.name }))
    .execute()

/** Restores the person's own name in the workspace. */
export const deleteMemberName = (db: Db, workspaceId: number, userId: number) =>
  db.deleteFrom('member_names').where('workspace_id', '=', workspaceId).where('user_id', '=', userId).execute()

export const findSavedViews = (db: Db, workspaceId: number, userId: number) =>
  db
    .selectFrom('members')
    .select('saved_views')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export const setSavedViews = (
  db: Db,
  { workspaceId, userId, views }: { workspaceId: number; userId: number; views: string },
) =>
  db
    .updateTable('members')
    .set({ saved_views: views })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()

export type SharedViewRow = Awaited<ReturnType<typeof listSharedViews>>[number]

/** The shared views of a workspace, or the one with an id. */
export const listSharedViews = (db: Db, workspaceId: number, id?: number) =>
  db
    .selectFrom('shared_views')
    .leftJoin('users', 'users.id', 'shared_views.shared_by')
    .select(['shared_views.id', 'list', 'shared_views.name', 'query', 'shared_by', 'shared_views.created_at'])
    .select(memberName<string | null>(workspaceId, 'users').as('shared_by_name'))
    .where('shared_views.workspace_id', '=', workspaceId)
    .$if(id !== undefined, (views) => views.where('shared_views.id', '=', id ?? 0))
    .orderBy('shared_views.id')
    .execute()

export const insertSharedView = (db: Db, row: Insertable<SharedViewsTable>) =>
  db.insertInto('shared_views').values(row).returning('id').executeTakeFirstOrThrow()

export const renameSharedView = (db: Db, { workspaceId, id, name }: RowRef & { readonly name: string }) =>
  db.updateTable('shared_views').set({ name }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

/** Returns undefined if the view does not exist. */
export const deleteSharedView = (db: Db, workspaceId: number, id: number) =>
  db
    .deleteFrom('shared_views')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
