import type * as z from 'zod/mini'
import type { ApiToken, peopleAdminRoutes } from '../../admin/people.ts'
import type { DocsOf } from '../../route-docs.ts'
import { ada, adaEmail, page, workspace } from '../example-values.ts'

const member = {
  ...ada,
  email: adaEmail,
  role: 'member',
  created_at: '2026-11-03T10:20:30.000001Z',
} as const
const token = {
  id: 5,
  workspace_id: 1,
  user_id: ada.id,
  name: 'Shop backend',
  hint: 'x9Qf',
  scopes: ['tickets:read', 'tickets:write'],
  effective_scopes: ['tickets:read', 'tickets:write'],
  limited_by_role: null,
  expires_at: null,
  revoked_at: null,
  last_used_at: '2026-11-20T18:51:00.000000Z',
  created_at: '2026-11-03T10:20:30.000001Z',
} satisfies z.output<typeof ApiToken>

const savedView = { list: 'tickets', name: 'Urgent and late', query: 'priority=urgent&due=overdue' } as const
const sharedView = { ...savedView, id: 3, shared_by: ada, created_at: '2026-11-20T19:10:00.000001Z' }

/** Documentation of the administration of workspaces, members and tokens. */
export const peopleAdminDocs: DocsOf<typeof peopleAdminRoutes> = {
  'workspaces.list': {
    summary: 'List workspaces',
    description: 'Every workspace of the instance, newest first.',
    responses: { workspaces: page({ ...workspace, owners: [{ id: ada.id, name: ada.name }], members: 12 }) },
  },
  'workspaces.create': {
    summary: 'Create a workspace',
    description: 'Creates an empty workspace. Add a member and create a token to call its API.',
    bodies: {
      'name-only': { name: 'Northwind' },
      full: { name: 'Northwind', time_zone: 'Europe/Berlin', currency: 'EUR' },
    },
    responses: { created: workspace },
  },
  'workspaces.get': { summary: 'Get a workspace', responses: { workspace } },
  'workspaces.update': {
    summary: 'Change a workspace',
    description:
      'Only instance administrators can disable or enable a workspace. While it is disabled, its members, its API tokens and its inbound deliveries are refused; nothing is deleted.',
    bodies: { name: { name: 'Northwind Traders' }, disable: { disabled: true } },
    responses: { workspace: { ...workspace, name: 'Northwind Traders' } },
  },
  'members.list': {
    summary: 'List members',
    description:
      'The people of the workspace, newest first. `search` is a part of the name or the e-mail address. The id is the user’s id, which is the same in every workspace. `invitation` is for people without a password and without another workspace: when their link expires. Disabled people stay members.',
    responses: { members: page({ ...member, invitation: null, disabled_at: null }) },
  },
  'members.create': {
    summary: 'Add a member',
    description:
      'The workspace calls the person by this name, whether or not the address is known in other workspaces. The person keeps their own name. If an instance administrator adds them, the workspace calls them by their own name.',
    bodies: { member: { name: ada.name, email: adaEmail } },
    responses: { added: member },
  },
  'members.get': { summary: 'Get a member', responses: { member } },
  'members.update': {
    summary: 'Change a member',
    description: 'The role of the last owner cannot change (409).',
    bodies: { role: { role: 'admin' } },
    responses: { member: { ...member, role: 'admin' } },
  },
  'views.list': {
    summary: 'List saved views',
    description: "The caller's named filters of dashboard lists in this workspace.",
    responses: { views: { data: [savedView] } },
  },
  'views.update': {
    summary: 'Save views',
    description:
      "Replaces the caller's saved views in this workspace. Answers 422 for more than 20 views or a query that the API of the list refuses, 409 if two views of a list have the same name, ignoring case and Unicode form, and 403 if the caller is not a member.",
    bodies: { views: { data: [savedView] } },
    responses: { views: { data: [savedView] } },
  },
  'sharedViews.list': {
    summary: 'List shared views',
    description: 'The named filters of dashboard lists that everyone in the workspace sees, oldest first.',
    responses: { views: { data: [sharedView] } },
  },
  'sharedViews.create': {
    summary: 'Share a view',
    description:
      'Everyone in the workspace sees it. Answers 422 if the workspace has 20 shared views or the API of the list refuses the query, and 409 if a shared view of the list has this name, ignoring case and Unicode form.',
    bodies: { view: savedView },
    responses: { shared: sharedView },
  },
  'sharedViews.get': { summary: 'Get a shared view', responses: { view: sharedView } },
  'sharedViews.update': {
    summary: 'Rename a shared view',
    description: 'Answers 409 if another shared view of the list has this name, ignoring case and Unicode form.',
    bodies: { rename: { name: 'Urgent and late' } },
    responses: { view: sharedView },
  },
  'sharedViews.delete': {
    summary: 'Remove a shared view',
    description: 'Removes it for everyone. The records that it lists stay.',
  },
  'members.delete': {
    summary: 'Remove a member',
    description:
      'Keeps what they created and revokes their API tokens in this workspace. The last owner cannot be removed (409).',
  },
  'tokens.list': {
    summary: 'List tokens',
    description:
      'API tokens of the workspace without their text, newest first. Includes revoked tokens. `effective_scopes` are those that the present role of the person allows, none while the person is disabled; `limited_by_role` names the role if it allows fewer than `scopes`.',
    responses: { tokens: page(token) },
  },
  'tokens.create': {
    summary: 'Create a token',
    description:
      'Only this response contains the text of the token, because only its hash is stored. A scope works only while the role of the person allows it.',
    bodies: {
      'tickets-only': { user_id: ada.id, name: 'Shop backend', scopes: ['tickets:read', 'tickets:write'] },
      'with-expiry': { user_id: ada.id, scopes: ['crm:write'], expires_at: '2027-01-01T00:00:00Z' },
    },
    responses: { created: { ...token, last_used_at: null, token: 'service_1_jK3nV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
  },
  'tokens.get': { summary: 'Get a token', responses: { token } },
  'tokens.revoke': {
    summary: 'Revoke a token',
    description: 'Takes effect immediately: the next request with the token is answered with 401.',
    responses: { revoked: { ...token, revoked_at: '2026-11-21T08:00:00.000000Z' } },
  },
}
