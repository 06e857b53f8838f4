import * as z from 'zod/mini'
import { ada } from '../docs/example-values.ts'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { scopeNames } from '../scopes.ts'
import { actionRefusals, Changed, listRefusals, PageQuery, pageOf, readRefusals, writeRefusals } from './pages.ts'
import { MemberInput, MemberPatch, memberRoles, TokenInput, WorkspaceInput, WorkspacePatch } from './people-input.ts'

/** A workspace: tickets, people and all else belong to one. */
export const Workspace = z.object({ id: integerId, name: z.string(), time_zone: z.string(), created_at: instant })
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

/** Documentation of the administration of workspaces, members and tokens. */
export const peopleAdminDocs = (): DocsOf<typeof peopleAdminRoutes> => {
  const workspace = { id: 1, name: 'Northwind', time_zone: 'Europe/Berlin', created_at: '2026-11-03T10:20:30.000001Z' }
  const member = {
    ...ada,
    email: 'ada@northwind.test',
    role: 'member',
    created_at: '2026-11-03T10:20:30.000001Z',
  } as const // `role` is one of a list
  const token = {
    id: 5,
    workspace_id: 1,
    user_id: ada.id,
    name: 'Shop backend',
    hint: 'x9Qf',
    scopes: ['tickets:read', 'tickets:write'],
    expires_at: null,
    revoked_at: null,
    last_used_at: '2026-11-20T18:51:00.000000Z',
    created_at: '2026-11-03T10:20:30.000001Z',
  } satisfies z.output<typeof ApiToken>
  return {
    'workspaces.list': {
      tag: 'Workspaces',
      summary: 'List workspaces',
      description: 'Every workspace of the instance, newest first.',
      answers: { workspaces: { data: [workspace], next_before: null } },
    },
    'workspaces.create': {
      tag: 'Workspaces',
      summary: 'Create a workspace',
      description: 'An empty workspace. Add a member and make a token to call its API.',
      bodies: { 'name-only': { name: 'Northwind' }, full: { name: 'Northwind', time_zone: 'Europe/Berlin' } },
      answers: { created: workspace },
    },
    'workspaces.get': { tag: 'Workspaces', summary: 'Get a workspace', answers: { workspace } },
    'workspaces.update': {
      tag: 'Workspaces',
      summary: 'Change a workspace',
      bodies: { name: { name: 'Northwind Traders' } },
      answers: { workspace: { ...workspace, name: 'Northwind Traders' } },
    },
    'members.list': {
      tag: 'People',
      summary: 'List members',
      description: 'The people of the workspace, newest first. The id is the user’s, the same in every workspace.',
      answers: { members: { data: [member], next_before: null } },
    },
    'members.create': {
      tag: 'People',
      summary: 'Add a member',
      description:
        'The workspace calls the person by this name, whether or not the address is known in other workspaces. The person keeps their own name. If an instance administrator adds them, the workspace calls them by their own name.',
      bodies: { member: { name: 'Ada Obi', email: 'ada@northwind.test' } },
      answers: { added: member },
    },
    'members.get': { tag: 'People', summary: 'Get a member', answers: { member } },
    'members.update': {
      tag: 'People',
      summary: 'Change a member',
      description: 'The last owner of a workspace stays its owner (409).',
      bodies: { role: { role: 'admin' } },
      answers: { member: { ...member, role: 'admin' } },
    },
    'members.delete': {
      tag: 'People',
      summary: 'Remove a member',
      description:
        'What they made stays. Their API tokens in this workspace are revoked. The last owner cannot go (409).',
    },
    'tokens.list': {
      tag: 'API tokens',
      summary: 'List tokens',
      description: 'API tokens of the workspace without their text, newest first; revoked ones too.',
      answers: { tokens: { data: [token], next_before: null } },
    },
    'tokens.create': {
      tag: 'API tokens',
      summary: 'Create a token',
      description: 'The text of the token is in this answer and in no other: only its hash is stored.',
      bodies: {
        'tickets-only': { user_id: ada.id, name: 'Shop backend', scopes: ['tickets:read', 'tickets:write'] },
        'with-expiry': { user_id: ada.id, scopes: ['crm:write'], expires_at: '2027-01-01T00:00:00Z' },
      },
      answers: { created: { ...token, last_used_at: null, token: 'service_jK3nV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
    },
    'tokens.get': { tag: 'API tokens', summary: 'Get a token', answers: { token } },
    'tokens.revoke': {
      tag: 'API tokens',
      summary: 'Revoke a token',
      description: 'Works at once: the next request with the token is 401.',
      answers: { revoked: { ...token, revoked_at: '2026-11-21T08:00:00.000000Z' } },
    },
  }
}
