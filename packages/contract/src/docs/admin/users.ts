import type { userAdminRoutes } from '../../admin/users.ts'
import type { DocsOf } from '../../route-docs.ts'
import { ada, adaEmail as email, page, workspace } from '../example-values.ts'

const user = {
  ...ada,
  email,
  is_instance_admin: false,
  has_password: true,
  disabled_at: null,
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
    summary: 'Set the platform up',
    description:
      'Creates the first person, who administers the instance, and the first workspace. The code is that of the set-up link, works once and for one hour, and not at all once somebody has a password.',
    bodies: { first: { code: '6Zt1bq8JmVw0uYcR3nEaXg', name: ada.name, email, password, workspace: 'Northwind' } },
    answers: {
      done: {
        session: newSession,
        user: { ...user, is_instance_admin: true },
        workspace: { ...workspace, time_zone: 'UTC', currency: null },
      },
    },
  },
  'setupLinks.create': {
    summary: 'Create a set-up link',
    description: 'Works once and for one hour. 409 once somebody has a password.',
    answers: { created: { ...link, link: '/setup?code=6Zt1bq8JmVw0uYcR3nEaXg' } },
  },
  'sessions.create': {
    summary: 'Sign in',
    description:
      'A session ends after 7 days without a request, and after 30 days in any case. A session that the request itself was made with ends at once. After ten failures within a minute an address, and an account, has to wait.',
    bodies: { person: { email, password } },
    answers: { 'signed-in': newSession },
    refusals: { 401: { 'wrong-password': { message: 'The e-mail address or the password is wrong.' } } },
  },
  'sessions.createByLink': {
    summary: 'Sign in by link',
    description: 'The code is that of a link from `users.signInLink`.',
    bodies: { link: { code: '6Zt1bq8JmVw0uYcR3nEaXg' } },
    answers: { 'signed-in': newSession },
  },
  'sessions.list': { summary: 'List own sessions', answers: { sessions: page(session) } },
  'sessions.delete': {
    summary: 'End a session',
    description: 'Signs out: the next request with its token is 401.',
    answers: { ended: { id: 12 } },
  },
  'passwordResets.complete': {
    summary: 'Choose a password by link',
    description: 'The code is that of a link from `users.resetPassword`. All sessions of the person end.',
    bodies: { chosen: { code: '6Zt1bq8JmVw0uYcR3nEaXg', password } },
    answers: { changed: user },
  },
  'account.get': { summary: 'Get the own account', answers: { account } },
  'account.update': {
    summary: 'Change the own account',
    description:
      'Another password needs a session and the current password, and ends all other sessions. After ten wrong ones in a minute the answer is 429.',
    bodies: {
      'other-name': { name: 'Ada Obi-Lindt' },
      'other-password': { password, current_password: 'the old one' },
    },
    answers: { changed: account },
  },
  'personalTokens.list': {
    summary: 'List own personal access tokens',
    description: 'Revoked ones too.',
    answers: { tokens: page(token) },
  },
  'personalTokens.create': {
    summary: 'Create a personal access token',
    description:
      'For scripts: it may do what its owner may. The text is in this answer and in no other. Needs a session; one personal access token cannot make another.',
    bodies: { 'until-new-year': { name: token.name, expires_at: '2027-01-01T00:00:00Z' } },
    answers: { created: { ...token, token: 'service_personal_b5Q0dJ8Yk2sVn7WcXr4TzGm1HpLeAo9UfBiKtMwx9Qe' } },
  },
  'personalTokens.revoke': {
    summary: 'Revoke a personal access token',
    answers: { revoked: { ...token, revoked_at: '2026-11-21T08:00:00.000000Z' } },
  },
  'users.list': { summary: 'List people', answers: { users: page(user) } },
  'users.create': {
    summary: 'Create a person',
    description: 'Without a password: `users.resetPassword` makes a link with which they choose one.',
    bodies: { person: { name: ada.name, email }, administrator: { name: ada.name, email, is_instance_admin: true } },
    answers: { created: { ...user, has_password: false } },
  },
  'users.get': { summary: 'Get a person', answers: { user } },
  'users.update': {
    summary: 'Change a person',
    description: 'Who is disabled cannot sign in; their sessions end, and none of their tokens works.',
    bodies: {
      'other-name': { name: 'Ada Obi-Lindt' },
      disable: { disabled: true },
      promote: { is_instance_admin: true },
    },
    answers: { changed: { ...user, disabled_at: '2026-11-21T08:00:00.000000Z' } },
  },
  'users.resetPassword': {
    summary: 'Create a link to choose a password',
    description: 'Works once and for one hour. The password stays as it is until the link is used.',
    answers: { created: link },
  },
  'users.signInLink': {
    summary: 'Create a link that signs in',
    description: 'Whoever opens it acts as this person, as the demo of a new server does. Works once and for one hour.',
    answers: { created: { ...link, link: '/sign-in?code=6Zt1bq8JmVw0uYcR3nEaXg' } },
  },
}
