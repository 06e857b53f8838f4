import * as z from 'zod/mini'
import { ada } from '../docs/example-values.ts'
import { instant, integerId, maxTitleLength, requiredText } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { actionRefusals, Changed, listRefusals, PageQuery, pageOf, readRefusals, writeRefusals } from './pages.ts'
import { Workspace } from './people.ts'
import { emailAddress, memberRoles } from './people-input.ts'

const user = {
  id: integerId,
  name: z.string(),
  email: z.string(),
  is_instance_admin: z.boolean(),
  /** Whether they can sign in; the password itself is never shown. */
  has_password: z.boolean(),
  disabled_at: z.nullable(instant),
  created_at: instant,
}
/** A person of the instance. */
export const User = z.object(user)
export type User = z.output<typeof User>

/** The caller's own account, and the workspaces it belongs to. */
export const UserAccount = z.object({
  ...user,
  workspaces: z.array(z.object({ id: integerId, name: z.string(), role: z.enum(memberRoles) })),
})
export type UserAccount = z.output<typeof UserAccount>

/** A sign-in that is still valid. */
export const Session = z.object({
  id: integerId,
  address: z.string(),
  user_agent: z.nullable(z.string()),
  created_at: instant,
  /** To the minute. */
  last_seen_at: instant,
  expires_at: instant,
  /** Whether this request was made with it. */
  current: z.boolean(),
})
export type Session = z.output<typeof Session>

/** With the text that later requests carry as a bearer token; it is in this answer and in no other. */
export const NewSession = z.object({ id: integerId, token: z.string(), expires_at: instant, user: User })
export type NewSession = z.output<typeof NewSession>

const personalToken = {
  id: integerId,
  name: z.string(),
  /** Its last four characters. */
  hint: z.string(),
  expires_at: instant,
  revoked_at: z.nullable(instant),
  /** To the minute. */
  last_used_at: z.nullable(instant),
  created_at: instant,
}
/** A personal access token as it may be shown. */
export const PersonalToken = z.object(personalToken)
export type PersonalToken = z.output<typeof PersonalToken>
/** With its text, which is in this answer and in no other. */
export const NewPersonalToken = z.object({ ...personalToken, token: z.string() })
export type NewPersonalToken = z.output<typeof NewPersonalToken>

/** A link that works once. */
export const OneTimeLink = z.object({
  /** The path below the server's address, with the code. It is in this answer and in no other. */
  link: z.string(),
  expires_at: instant,
})
export type OneTimeLink = z.output<typeof OneTimeLink>

/** The first person and the first workspace. */
export const SetupResult = z.object({ session: NewSession, user: User, workspace: Workspace })
export type SetupResult = z.output<typeof SetupResult>

const shortestPassword = 8
const longestPassword = 1024

/** One that is being chosen. */
const newPassword = z.string().check(z.minLength(shortestPassword), z.maxLength(longestPassword))
/** One that is being shown: how long it must have been is not checked again. */
const shownPassword = z.string().check(z.minLength(1), z.maxLength(longestPassword))

const name = requiredText(maxTitleLength)
const code = z.string().check(z.minLength(1), z.maxLength(200))

export const Credentials = z.object({ email: emailAddress, password: shownPassword })

/** The first person and the first workspace; the code is that of the set-up link. */
export const SetupInput = z.object({
  code,
  name,
  email: emailAddress,
  password: newPassword,
  /** The name of the workspace. */
  workspace: requiredText(maxTitleLength),
})

/** The code is that of the link. */
export const PasswordResetInput = z.object({ code, password: newPassword })

/** The code is that of the link. */
export const SignInCode = z.object({ code })

export const UserInput = z.object({ name, email: emailAddress, is_instance_admin: z._default(z.boolean(), false) })

export const UserPatch = z.object({
  name: z.optional(name),
  is_instance_admin: z.optional(z.boolean()),
  /** Who is disabled cannot sign in, and none of their tokens works. */
  disabled: z.optional(z.boolean()),
})

export const OwnAccountPatch = z.object({
  name: z.optional(name),
  password: z.optional(newPassword),
  /** Needed for another password. */
  current_password: z.optional(shownPassword),
})

export const PersonalTokenInput = z.object({
  name,
  /** An instant with an offset, e.g. `2027-01-01T00:00:00Z`. */
  expires_at: z.iso.datetime({ offset: true }),
})

const admin = { surface: 'admin' } as const
const person = { ...admin, role: 'person' } as const
const instance = { ...admin, role: 'instance' } as const
const anybody = { ...admin, role: 'public', method: 'POST', refusals: writeRefusals } as const

export const userAdminRoutes = [
  {
    ...anybody,
    operation: 'setup.complete',
    path: '/setup',
    body: SetupInput,
    answers: { 201: SetupResult },
  },
  {
    ...instance,
    operation: 'setupLinks.create',
    method: 'POST',
    path: '/setup-links',
    answers: { 201: OneTimeLink },
    refusals: actionRefusals,
  },
  { ...anybody, operation: 'sessions.create', path: '/sessions', body: Credentials, answers: { 201: NewSession } },
  {
    ...anybody,
    operation: 'sessions.createByLink',
    path: '/sessions/by-link',
    body: SignInCode,
    answers: { 201: NewSession },
  },
  {
    ...person,
    operation: 'sessions.list',
    method: 'GET',
    path: '/sessions',
    query: PageQuery,
    answers: { 200: pageOf(Session) },
    refusals: listRefusals,
  },
  {
    ...person,
    operation: 'sessions.delete',
    method: 'DELETE',
    path: '/sessions/{id}',
    answers: { 200: Changed },
    refusals: actionRefusals,
  },
  {
    ...anybody,
    operation: 'passwordResets.complete',
    path: '/password-resets',
    body: PasswordResetInput,
    answers: { 200: User },
  },
  {
    ...person,
    operation: 'account.get',
    method: 'GET',
    path: '/users/me',
    answers: { 200: UserAccount },
    refusals: readRefusals,
  },
  {
    ...person,
    operation: 'account.update',
    method: 'PATCH',
    path: '/users/me',
    body: OwnAccountPatch,
    answers: { 200: UserAccount },
    refusals: writeRefusals,
  },
  {
    ...person,
    operation: 'personalTokens.list',
    method: 'GET',
    path: '/users/me/tokens',
    query: PageQuery,
    answers: { 200: pageOf(PersonalToken) },
    refusals: listRefusals,
  },
  {
    ...person,
    operation: 'personalTokens.create',
    method: 'POST',
    path: '/users/me/tokens',
    body: PersonalTokenInput,
    answers: { 201: NewPersonalToken },
    refusals: writeRefusals,
  },
  {
    ...person,
    operation: 'personalTokens.revoke',
    method: 'DELETE',
    path: '/users/me/tokens/{id}',
    answers: { 200: PersonalToken },
    refusals: actionRefusals,
  },
  {
    ...instance,
    operation: 'users.list',
    method: 'GET',
    path: '/users',
    query: PageQuery,
    answers: { 200: pageOf(User) },
    refusals: listRefusals,
  },
  {
    ...instance,
    operation: 'users.create',
    method: 'POST',
    path: '/users',
    body: UserInput,
    answers: { 201: User },
    refusals: writeRefusals,
  },
  {
    ...instance,
    operation: 'users.get',
    method: 'GET',
    path: '/users/{id}',
    answers: { 200: User },
    refusals: readRefusals,
  },
  {
    ...instance,
    operation: 'users.update',
    method: 'PATCH',
    path: '/users/{id}',
    body: UserPatch,
    answers: { 200: User },
    refusals: writeRefusals,
  },
  {
    ...instance,
    operation: 'users.resetPassword',
    method: 'POST',
    path: '/users/{id}/reset-password',
    answers: { 201: OneTimeLink },
    refusals: actionRefusals,
  },
  {
    ...instance,
    operation: 'users.signInLink',
    method: 'POST',
    path: '/users/{id}/sign-in-link',
    answers: { 201: OneTimeLink },
    refusals: actionRefusals,
  },
] as const satisfies readonly AdminRoute[]

/** Documentation of people, sessions, personal access tokens and the first set-up. */
export const userAdminDocs = (): DocsOf<typeof userAdminRoutes> => {
  const email = 'ada@northwind.test'
  const user = {
    ...ada,
    email,
    is_instance_admin: false,
    has_password: true,
    disabled_at: null,
    created_at: '2026-11-03T10:20:30.000001Z',
  }
  const workspace = { id: 1, name: 'Northwind', time_zone: 'UTC', created_at: '2026-11-03T10:20:30.000001Z' }
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
  return {
    'setup.complete': {
      tag: 'Sign-in',
      summary: 'Set the platform up',
      description:
        'Creates the first person, who administers the instance, and the first workspace. The code is that of the set-up link, works once and for one hour, and not at all once somebody has a password.',
      bodies: { first: { code: '6Zt1bq8JmVw0uYcR3nEaXg', name: ada.name, email, password, workspace: 'Northwind' } },
      answers: { done: { session: newSession, user: { ...user, is_instance_admin: true }, workspace } },
    },
    'setupLinks.create': {
      tag: 'Sign-in',
      summary: 'Create a set-up link',
      description: 'Works once and for one hour. 409 once somebody has a password.',
      answers: { created: { ...link, link: '/setup?code=6Zt1bq8JmVw0uYcR3nEaXg' } },
    },
    'sessions.create': {
      tag: 'Sign-in',
      summary: 'Sign in',
      description:
        'A session ends after 7 days without a request, and after 30 days in any case. A session that the request itself was made with ends at once. After ten failures within a minute an address, and an account, has to wait.',
      bodies: { person: { email, password } },
      answers: { 'signed-in': newSession },
      refusals: { 401: { 'wrong-password': { message: 'The e-mail address or the password is wrong.' } } },
    },
    'sessions.createByLink': {
      tag: 'Sign-in',
      summary: 'Sign in by link',
      description: 'The code is that of a link from `users.signInLink`.',
      bodies: { link: { code: '6Zt1bq8JmVw0uYcR3nEaXg' } },
      answers: { 'signed-in': newSession },
    },
    'sessions.list': {
      tag: 'Sign-in',
      summary: 'List own sessions',
      answers: { sessions: { data: [session], next_before: null } },
    },
    'sessions.delete': {
      tag: 'Sign-in',
      summary: 'End a session',
      description: 'Signs out: the next request with its token is 401.',
      answers: { ended: { id: 12 } },
    },
    'passwordResets.complete': {
      tag: 'Sign-in',
      summary: 'Choose a password by link',
      description: 'The code is that of a link from `users.resetPassword`. All sessions of the person end.',
      bodies: { chosen: { code: '6Zt1bq8JmVw0uYcR3nEaXg', password } },
      answers: { changed: user },
    },
    'account.get': { tag: 'Sign-in', summary: 'Get the own account', answers: { account } },
    'account.update': {
      tag: 'Sign-in',
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
      tag: 'Sign-in',
      summary: 'List own personal access tokens',
      description: 'Revoked ones too.',
      answers: { tokens: { data: [token], next_before: null } },
    },
    'personalTokens.create': {
      tag: 'Sign-in',
      summary: 'Create a personal access token',
      description:
        'For scripts: it may do what its owner may. The text is in this answer and in no other. Needs a session; one personal access token cannot make another.',
      bodies: { 'until-new-year': { name: token.name, expires_at: '2027-01-01T00:00:00Z' } },
      answers: { created: { ...token, token: 'service_personal_b5Q0dJ8Yk2sVn7WcXr4TzGm1HpLeAo9UfBiKtMwx9Qe' } },
    },
    'personalTokens.revoke': {
      tag: 'Sign-in',
      summary: 'Revoke a personal access token',
      answers: { revoked: { ...token, revoked_at: '2026-11-21T08:00:00.000000Z' } },
    },
    'users.list': { tag: 'Sign-in', summary: 'List people', answers: { users: { data: [user], next_before: null } } },
    'users.create': {
      tag: 'Sign-in',
      summary: 'Create a person',
      description: 'Without a password: `users.resetPassword` makes a link with which they choose one.',
      bodies: { person: { name: ada.name, email }, administrator: { name: ada.name, email, is_instance_admin: true } },
      answers: { created: { ...user, has_password: false } },
    },
    'users.get': { tag: 'Sign-in', summary: 'Get a person', answers: { user } },
    'users.update': {
      tag: 'Sign-in',
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
      tag: 'Sign-in',
      summary: 'Create a link to choose a password',
      description: 'Works once and for one hour. The password stays as it is until the link is used.',
      answers: { created: link },
    },
    'users.signInLink': {
      tag: 'Sign-in',
      summary: 'Create a link that signs in',
      description:
        'Whoever opens it acts as this person, as the demo of a new server does. Works once and for one hour.',
      answers: { created: { ...link, link: '/sign-in?code=6Zt1bq8JmVw0uYcR3nEaXg' } },
    },
  }
}
