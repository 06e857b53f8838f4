import * as z from 'zod/mini'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { scopeNames } from '../scopes.ts'
import { actionRefusals, Changed, listRefusals, PageQuery, pageOf, readRefusals, writeRefusals } from './pages.ts'
import { MemberInput, MemberPatch, memberRoles, TokenInput, WorkspaceInput, WorkspacePatch } from './people-input.ts'

/** A workspace: tickets, people and all else belong to one. */
export const Workspace = z.object({
  id: integerId,
  name: z.string(),
  time_zone: z.string(),
  currency: z.nullable(z.string()),
  created_at: instant,
})

export type Workspace = z.output<typeof Workspace>

/** A person as a member of one workspace; the id is the user's, the same in all workspaces. */
export const Member = z.object({
  id: integerId,
  name: z.string(),
  email: z.string(),
  role: z.enum(memberRoles),
  created_at: instant,
})

export type Member = z.output<typeof Member>

const token = {
  id: integerId,
  workspace_id: integerId,
  /** Who it acts as. */
  user_id: integerId,
  name: z.string(),
  /** Its last four characters. */
  hint: z.string(),
  scopes: z.array(z.enum(scopeNames)),
  expires_at: z.nullable(instant),
  revoked_at: z.nullable(instant),
  /** To the minute. */
  last_used_at: z.nullable(instant),
  created_at: instant,
}

/** An API token as it may be shown. */
export const ApiToken = z.object(token)

export type ApiToken = z.output<typeof ApiToken>

/** With its text, which is in this answer and in no other. */
export const NewApiToken = z.object({ ...token, token: z.string() })

export type NewApiToken = z.output<typeof NewApiToken>

const workspace = '/workspaces/{workspace}'

const common = { surface: 'admin', role: 'admin' } as const

const list = { surface: 'admin', role: 'viewer', method: 'GET', query: PageQuery, refusals: listRefusals } as const

const read = { surface: 'admin', role: 'viewer', method: 'GET', refusals: readRefusals } as const

const create = { ...common, method: 'POST', refusals: writeRefusals } as const

const update = { ...common, method: 'PATCH', refusals: writeRefusals } as const

const remove = { ...common, method: 'DELETE', refusals: actionRefusals } as const

export const workspaceAdminRoutes = [
  { ...list, operation: 'workspaces.list', path: '/workspaces', role: 'instance', answers: { 200: pageOf(Workspace) } },
  {
    ...create,
    operation: 'workspaces.create',
    path: '/workspaces',
    role: 'instance',
    body: WorkspaceInput,
    answers: { 201: Workspace },
  },
  { ...read, operation: 'workspaces.get', path: workspace, answers: { 200: Workspace } },
  { ...update, operation: 'workspaces.update', path: workspace, body: WorkspacePatch, answers: { 200: Workspace } },
] as const satisfies readonly AdminRoute[]

export const memberAdminRoutes = [
  { ...list, operation: 'members.list', path: `${workspace}/members`, answers: { 200: pageOf(Member) } },
  {
    ...create,
    operation: 'members.create',
    path: `${workspace}/members`,
    body: MemberInput,
    answers: { 201: Member },
  },
  { ...read, operation: 'members.get', path: `${workspace}/members/{id}`, answers: { 200: Member } },
  {
    ...update,
    operation: 'members.update',
    path: `${workspace}/members/{id}`,
    body: MemberPatch,
    answers: { 200: Member },
  },
  { ...remove, operation: 'members.delete', path: `${workspace}/members/{id}`, answers: { 200: Changed } },
] as const satisfies readonly AdminRoute[]

export const tokenAdminRoutes = [
  { ...list, operation: 'tokens.list', path: `${workspace}/tokens`, role: 'admin', answers: { 200: pageOf(ApiToken) } },
  {
    ...create,
    operation: 'tokens.create',
    path: `${workspace}/tokens`,
    body: TokenInput,
    answers: { 201: NewApiToken },
  },
  {
    ...read,
    operation: 'tokens.get',
    path: `${workspace}/tokens/{id}`,
    role: 'admin',
    answers: { 200: ApiToken },
  },
  { ...remove, operation: 'tokens.revoke', path: `${workspace}/tokens/{id}`, answers: { 200: ApiToken } },
] as const satisfies readonly AdminRoute[]

export const peopleAdminRoutes = [...workspaceAdminRoutes, ...memberAdminRoutes, ...tokenAdminRoutes] as const
