import type { userAdminRoutes } from '../../admin/users.ts'
import type { DocsOf } from '../../route-docs.ts'
import { ada, adaEmail as email, page, workspace } from '../example-values.ts'

const user = {
  ...ada,
  email,
  is_instance_admin: false,
  has_password: true,
  disabled_at: null,
  hides_first_steps: false,
  created_at: '2026-11-03T10:20:30.000001Z',
}
const account = { ...user, workspaces: [{ id: 1, name: 'Northwind', role: 'owner' as const }] }
const session = {
  id: 12,
  address: '203.0.113.7',
  user_agent: 'Mozilla/5.0',
  created_at: '2026-11-20T18:51:53.123456Z',
  last_seen_at: '2026-11-20T19:02:11.000000Z',
  expires_at: '2026-12-20T18:51:53.123456Z',
  current: true,
}
const newSession = {
  id: 12,
  token: 'service_session_b5Q0dJ8Yk2sVn7WcXr4TzGm1HpLeAo9UfBiKtMwSxDg',
  expires_at: session.expires_at,
  user,
}
const token = {
  id: 4,
  name: 'Deploy script',
  hint: 'x9Qe',
  expires_at: '2027-01-01T00:00:00.000000Z',
  revoked_at: null,
  last_used_at: null,
  created_at: '2026-11-20T18:51:53.123456Z',
}
const link = { link: '/reset-password?code=6Zt1bq8JmVw0uYcR3nEaXg', expires_at: '2026-11-20T19:51:53.123456Z' }
const password = 'correct horse battery staple'

/** Documentation of people, sessions, personal access tokens and the first set-up. */
export const userAdminDocs: DocsOf<typeof userAdminRoutes> = {
  'setup.complete': {
    summary: 'Set up the platform',
    description:
      'Creates the first person, who administers the instance, and the first workspace. The code comes from the set-up link. It works once, within one hour, and only until a person has a password.',
    bodies: { first: { code: '6Zt1bq8JmVw0uYcR3nEaXg', name: ada.name, email, password, workspace: 'Northwind' } },
    responses: {
      done: {
        session: newSession,
        user: { ...user, is_instance_admin: true },
        workspace: { ...workspace, time_zone: 'UTC', currency: null },
      },
    },
  },
  'setupLinks.create': {
    summary: 'Create a set-up link',
    description:
      'Works once, within one hour, or within seven days for a person who has no password yet. Answers 409 if a person has a password.',
    responses: { created: { ...link, link: '/setup?code=6Zt1bq8JmVw0uYcR3nEaXg' } },
  },
  'sessions.create': {
    summary: 'Sign in',
    description:
      'A session ends after 7 days without a request, and after 30 days in any case. If the request carries a session, that session ends. After ten wrong passwords for one account within a minute, the site that sent them gets 429 for this account; other sites do not. An account that many sites attack is slowed down, but never closed for sites from which the person has a session.',
    bodies: { person: { email, password } },
    responses: { 'signed-in': newSession },
    errors: { 401: { 'wrong-password': { message: 'The e-mail address or the password is wrong.' } } },
  },
  'sessions.createByLink': {
    summary: 'Sign in by link',
    description: 'The code comes from a link from `users.signInLink`.',
    bodies: { link: { code: '6Zt1bq8JmVw0uYcR3nEaXg' } },
    responses: { 'signed-in': newSession },
  },
  'sessions.list': { summary: 'List own sessions', responses: { sessions: page(session) } },
  'sessions.delete': {
    summary: 'End a session',
    description: 'Signs out: the next request with its token is 401.',
    responses: { ended: { id: 12 } },
  },
  'passwordResets.complete': {
    summary: 'Choose a password by link',
    description:
      'The code comes from a link from `users.resetPassword`. All sessions and personal access tokens of the person end; with `end_personal_tokens: false` the tokens stay valid. Their API tokens stay valid in any case.',
    bodies: {
      chosen: { code: '6Zt1bq8JmVw0uYcR3nEaXg', password },
      'tokens-kept': { code: '6Zt1bq8JmVw0uYcR3nEaXg', password, end_personal_tokens: false },
    },
    responses: { changed: user },
  },
  'account.get': {
    summary: 'Get own account',
    description: 'Without a query, it has all workspaces of the person. `workspaces` limits their number.',
    responses: { account },
  },
  'account.update': {
    summary: 'Change own account',
    description:
      'Changing the password requires a session and the current password, and ends all other sessions and, unless `end_personal_tokens` is false, the personal access tokens. After ten wrong passwords in a minute, the session gets 429.',
    bodies: {
      'other-name': { name: 'Ada Obi-Lindt' },
      'without-first-steps': { hides_first_steps: true },
      'other-password': { password, current_password: 'the old one' },
    },
    responses: { changed: account },
  },
  'personalTokens.list': {
    summary: 'List own personal access tokens',
    description: 'Includes revoked tokens.',
    responses: { tokens: page(token) },
  },
  'personalTokens.create': {
    summary: 'Create a personal access token',
    description:
      'For scripts. It has the permissions of its owner. Only this response contains its text. Requires a session, because a personal access token cannot create another one.',
    bodies: { 'until-new-year': { name: token.name, expires_at: '2027-01-01T00:00:00Z' } },
    responses: { created: { ...token, token: 'service_personal_b5Q0dJ8Yk2sVn7WcXr4TzGm1HpLeAo9UfBiKtMwx9Qe' } },
  },
  'personalTokens.revoke': {
    summary: 'Revoke a personal access token',
    responses: { revoked: { ...token, revoked_at: '2026-11-21T08:00:00.000000Z' } },
  },
  'users.list': { summary: 'List people', responses: { users: page(account) } },
  'users.create': {
    summary: 'Create a person',
    description: 'The person has no password yet. `users.resetPassword` creates a link to choose one.',
    bodies: { person: { name: ada.name, email }, administrator: { name: ada.name, email, is_instance_admin: true } },
    responses: { created: { ...user, has_password: false } },
  },
  'users.get': { summary: 'Get a person', responses: { user: account } },
  'users.update': {
    summary: 'Change a person',
    description:
      'Disabled users cannot sign in. Their sessions, personal tokens, and the links that they created for others end. Their API tokens stop working until they are enabled again. A person cannot disable or demote the last administrator of the instance who can sign in (409).',
    bodies: {
      'other-name': { name: 'Ada Obi-Lindt' },
      disable: { disabled: true },
      promote: { is_instance_admin: true },
    },
    responses: { changed: { ...user, disabled_at: '2026-11-21T08:00:00.000000Z' } },
  },
  'users.resetPassword': {
    summary: 'Create a link to choose a password',
    description:
      'Works once, within one hour, or within seven days for a person who has no password yet. The old password stays valid until the link is used. The personal access tokens of the person end immediately; with `end_personal_tokens: false` they stay valid until the link is used.',
    bodies: { reset: {}, 'tokens-kept': { end_personal_tokens: false } },
    responses: { created: link },
  },
  'invitations.create': {
    summary: 'Invite a member',
    description:
      'A link with which a member chooses their first password. Works once, within seven days, and replaces earlier ones. Answers 409 if the person has a password or, unless an administrator of the instance asks, another workspace. The link ends if that changes, and if its creator is no longer an owner.',
    responses: { created: link },
  },
  'users.signInLink': {
    summary: 'Create a link that signs in',
    description: 'The link signs in as this person. It works once, within one hour.',
    responses: { created: { ...link, link: '/sign-in?code=6Zt1bq8JmVw0uYcR3nEaXg' } },
  },
}
