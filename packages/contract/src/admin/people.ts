import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { scopeNames } from '../scopes.ts'
import { pageOf, SearchQuery, wholeListOf } from './pages.ts'
import {
  MemberInput,
  MemberPatch,
  memberRoles,
  SavedView,
  SavedViewsPatch,
  SharedViewPatch,
  TokenInput,
  WorkspaceInput,
  WorkspacePatch,
} from './people-input.ts'
import { create, list, read, remove, update, workspace } from './route-kinds.ts'

/** A workspace. Tickets, people and everything else belong to one. */
export const Workspace = z.object({
  id: integerId,
  name: z.string(),
  time_zone: z.string(),
  currency: z.nullable(z.string()),
  disabled_at: z.nullable(instant),
  created_at: instant,
})

export type Workspace = z.output<typeof Workspace>

/** A workspace with its owners and its number of members. */
export const ListedWorkspace = z.extend(Workspace, {
  owners: z.array(z.object({ id: integerId, name: z.string() })),
  members: z.number(),
})

export type ListedWorkspace = z.output<typeof ListedWorkspace>

/** A member of a workspace. The id is the user's id, which is the same in all workspaces. */
export const Member = z.object({
  id: integerId,
  name: z.string(),
  email: z.string(),
  role: z.enum(memberRoles),
  created_at: instant,
})

export type Member = z.output<typeof Member>

/** A member as the list shows them. */
export const ListedMember = z.extend(Member, {
  /** For a person without a password and without another workspace. `expires_at` is null if they have no valid link. */
  invitation: z.nullable(z.object({ expires_at: z.nullable(instant) })),
  /** When the person was disabled. Null if they may sign in. */
  disabled_at: z.nullable(instant),
})

export type ListedMember = z.output<typeof ListedMember>

/** A view that everyone in the workspace sees. `shared_by` is null if a program shared it. */
export const SharedView = z.extend(SavedView, {
  id: integerId,
  shared_by: z.nullable(z.object({ id: integerId, name: z.string() })),
  created_at: instant,
})

export type SharedView = z.output<typeof SharedView>

const token = {
  id: integerId,
  workspace_id: integerId,
  /** The user that it acts as. */
  user_id: integerId,
  name: z.string(),
  /** Its last four characters. */
  hint: z.string(),
  scopes: z.array(z.enum(scopeNames)),
  /** The scopes that the present role of its person allows. Each request checks them. */
  effective_scopes: z.array(z.enum(scopeNames)),
  /** The present role of its person, if it does not allow all scopes of the token; otherwise null. */
  limited_by_role: z.nullable(z.enum(memberRoles)),
  expires_at: z.nullable(instant),
  revoked_at: z.nullable(instant),
  /** To the minute. */
  last_used_at: z.nullable(instant),
  created_at: instant,
}

/** An API token without its text. */
export const ApiToken = z.object(token)

export type ApiToken = z.output<typeof ApiToken>

/** With the token itself, which only this response contains. */
export const NewApiToken = z.object({ ...token, token: z.string() })

export type NewApiToken = z.output<typeof NewApiToken>

const members = `${workspace}/members` as const
const member = `${members}/{id}` as const
const views = `${workspace}/views` as const
const sharedViews = `${workspace}/shared-views` as const
const sharedView = `${sharedViews}/{id}` as const
const tokens = `${workspace}/tokens` as const
const oneToken = `${tokens}/{id}` as const
const admin = { role: 'admin' } as const
const instance = { role: 'instance', path: '/workspaces' } as const

export const workspaceAdminRoutes = [
  { ...list, ...instance, operation: 'workspaces.list', responses: { 200: pageOf(ListedWorkspace) } },
  { ...create, ...instance, operation: 'workspaces.create', body: WorkspaceInput, responses: { 201: Workspace } },
  { ...read, operation: 'workspaces.get', path: workspace, responses: { 200: Workspace } },
  {
    ...update,
    ...admin,
    operation: 'workspaces.update',
    path: workspace,
    body: WorkspacePatch,
    responses: { 200: Workspace },
  },
] as const satisfies readonly AdminRoute[]

export const memberAdminRoutes = [
  { ...list, operation: 'members.list', path: members, query: SearchQuery, responses: { 200: pageOf(ListedMember) } },
  { ...create, ...admin, operation: 'members.create', path: members, body: MemberInput, responses: { 201: Member } },
  { ...read, operation: 'members.get', path: member, responses: { 200: Member } },
  { ...update, ...admin, operation: 'members.update', path: member, body: MemberPatch, responses: { 200: Member } },
  { ...remove, ...admin, operation: 'members.delete', path: member },
  { ...read, operation: 'views.list', path: views, responses: { 200: wholeListOf(SavedView) } },
  {
    ...update,
    role: 'viewer',
    operation: 'views.update',
    path: views,
    body: SavedViewsPatch,
    responses: { 200: wholeListOf(SavedView) },
  },
  { ...read, operation: 'sharedViews.list', path: sharedViews, responses: { 200: wholeListOf(SharedView) } },
  {
    ...create,
    ...admin,
    operation: 'sharedViews.create',
    path: sharedViews,
    body: SavedView,
    responses: { 201: SharedView },
  },
  { ...read, operation: 'sharedViews.get', path: sharedView, responses: { 200: SharedView } },
  {
    ...update,
    ...admin,
    operation: 'sharedViews.update',
    path: sharedView,
    body: SharedViewPatch,
    responses: { 200: SharedView },
  },
  { ...remove, ...admin, operation: 'sharedViews.delete', path: sharedView },
] as const satisfies readonly AdminRoute[]

export const tokenAdminRoutes = [
  { ...list, ...admin, operation: 'tokens.list', path: tokens, responses: { 200: pageOf(ApiToken) } },
  { ...create, ...admin, operation: 'tokens.create', path: tokens, body: TokenInput, responses: { 201: NewApiToken } },
  { ...read, ...admin, operation: 'tokens.get', path: oneToken, responses: { 200: ApiToken } },
  { ...remove, ...admin, operation: 'tokens.revoke', path: oneToken, responses: { 200: ApiToken } },
] as const satisfies readonly AdminRoute[]

export const peopleAdminRoutes = [...workspaceAdminRoutes, ...memberAdminRoutes, ...tokenAdminRoutes] as const
