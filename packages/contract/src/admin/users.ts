import * as z from 'zod/mini'
import { instant, integerId, maxTitleLength, requiredText } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { maxPageSize, pageOf } from './pages.ts'
import { Workspace } from './people.ts'
import { emailAddress, memberRoles, WorkspaceInput } from './people-input.ts'
import { action, create, list, read, remove, update, workspace } from './route-kinds.ts'

const user = {
  id: integerId,
  name: z.string(),
  email: z.string(),
  is_instance_admin: z.boolean(),
  /** Whether they can sign in; the password itself is never shown. */
  has_password: z.boolean(),
  disabled_at: z.nullable(instant),
  /** Whether the dashboard hides the first steps from them. */
  hides_first_steps: z.boolean(),
  created_at: instant,
}

/** A person of the instance. */
export const User = z.object(user)

export type User = z.output<typeof User>

/** A person with their workspaces. */
export const UserAccount = z.object({
  ...user,
  workspaces: z.array(z.object({ id: integerId, name: z.string(), role: z.enum(memberRoles) })),
})

export type UserAccount = z.output<typeof UserAccount>

/** Selects the workspaces of the own account. By default, it has all of them. */
export const AccountQuery = z.object({
  /** At most this many, newest first. */
  workspaces: z.optional(z.coerce.number().check(z.int(), z.positive(), z.maximum(maxPageSize))),
  /** Only those with this text in their name. */
  search: z.optional(requiredText(maxTitleLength)),
  /** The ids of workspaces to return before the others, separated by commas. */
  first: z.optional(z.string().check(z.regex(/^\d{1,15}(?:,\d{1,15}){0,19}$/))),
})

export type AccountQuery = z.output<typeof AccountQuery>

/** A session that is still valid. */
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

/** With the bearer token for later requests, which only this response contains. */
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

/** A personal access token without its text. */
export const PersonalToken = z.object(personalToken)

export type PersonalToken = z.output<typeof PersonalToken>

/** With the token itself, which only this response contains. */
export const NewPersonalToken = z.object({ ...personalToken, token: z.string() })

export type NewPersonalToken = z.output<typeof NewPersonalToken>

/** A link that works once. */
export const OneTimeLink = z.object({
  /** The path below the server's address, with the code. Only this response contains it. */
  link: z.string(),
  expires_at: instant,
})

export type OneTimeLink = z.output<typeof OneTimeLink>

/** The first person and the first workspace. */
export const SetupResult = z.object({ session: NewSession, user: User, workspace: Workspace })

export type SetupResult = z.output<typeof SetupResult>

const shortestPassword = 8

const maxPasswordLength = 1024

/** A new password. */
const newPassword = z.string().check(z.minLength(shortestPassword), z.maxLength(maxPasswordLength))

/** An existing password. Its length is not checked again. */
const shownPassword = z.string().check(z.minLength(1), z.maxLength(maxPasswordLength))

const name = requiredText(maxTitleLength)

const code = z.string().check(z.minLength(1), z.maxLength(200))

export const Credentials = z.object({ email: emailAddress, password: shownPassword })

/** The first person and the first workspace. The code comes from the set-up link. */
export const SetupInput = z.object({
  code,
  name,
  email: emailAddress,
  password: newPassword,
  /** The name of the workspace. */
  workspace: requiredText(maxTitleLength),
  /** The time zone of the workspace. */
  time_zone: WorkspaceInput.shape.time_zone,
})

/** Whether the personal access tokens of the person end with their old password. API tokens stay valid. */
const endPersonalTokens = z._default(z.boolean(), true)

/** The code comes from the link. */
export const PasswordResetInput = z.object({ code, password: newPassword, end_personal_tokens: endPersonalTokens })

export const PasswordLinkInput = z.object({ end_personal_tokens: endPersonalTokens })

/** The code comes from the link. */
export const SignInCode = z.object({ code })

export const UserInput = z.object({ name, email: emailAddress, is_instance_admin: z._default(z.boolean(), false) })

export const UserPatch = z.object({
  name: z.optional(name),
  is_instance_admin: z.optional(z.boolean()),
  /** Disabled users cannot sign in, and their tokens stop working. */
  disabled: z.optional(z.boolean()),
})

export const OwnAccountPatch = z.object({
  name: z.optional(name),
  password: z.optional(newPassword),
  /** Required to change the password. */
  current_password: z.optional(shownPassword),
  /** With a new password: whether the personal access tokens end, as they do by default. */
  end_personal_tokens: z.optional(z.boolean()),
  hides_first_steps: z.optional(z.boolean()),
})

export const PersonalTokenInput = z.object({
  name,
  /** An instant with an offset, e.g. `2027-01-01T00:00:00Z`. */
  expires_at: z.iso.datetime({ offset: true }),
})

const anyone = { ...create, role: 'public' } as const
const person = { role: 'person' } as const
const instance = { role: 'instance' } as const
const me = '/users/me'
const tokens = `${me}/tokens` as const
const users = '/users'
const one = `${users}/{id}` as const

export const userAdminRoutes = [
  { ...anyone, operation: 'setup.complete', path: '/setup', body: SetupInput, responses: { 201: SetupResult } },
  { ...action, ...instance, operation: 'setupLinks.create', path: '/setup-links', responses: { 201: OneTimeLink } },
  { ...anyone, operation: 'sessions.create', path: '/sessions', body: Credentials, responses: { 201: NewSession } },
  {
    ...anyone,
    operation: 'sessions.createByLink',
    path: '/sessions/by-link',
    body: SignInCode,
    responses: { 201: NewSession },
  },
  { ...list, ...person, operation: 'sessions.list', path: '/sessions', responses: { 200: pageOf(Session) } },
  { ...remove, ...person, operation: 'sessions.delete', path: '/sessions/{id}' },
  {
    ...anyone,
    operation: 'passwordResets.complete',
    path: '/password-resets',
    body: PasswordResetInput,
    responses: { 200: User },
  },
  { ...read, ...person, operation: 'account.get', path: me, query: AccountQuery, responses: { 200: UserAccount } },
  {
    ...update,
    ...person,
    operation: 'account.update',
    path: me,
    body: OwnAccountPatch,
    responses: { 200: UserAccount },
  },
  { ...list, ...person, operation: 'personalTokens.list', path: tokens, responses: { 200: pageOf(PersonalToken) } },
  {
    ...create,
    ...person,
    operation: 'personalTokens.create',
    path: tokens,
    body: PersonalTokenInput,
    responses: { 201: NewPersonalToken },
  },
  {
    ...remove,
    ...person,
    operation: 'personalTokens.revoke',
    path: `${tokens}/{id}`,
    responses: { 200: PersonalToken },
  },
  { ...list, ...instance, operation: 'users.list', path: users, responses: { 200: pageOf(UserAccount) } },
  { ...create, ...instance, operation: 'users.create', path: users, body: UserInput, responses: { 201: User } },
  { ...read, ...instance, operation: 'users.get', path: one, responses: { 200: UserAccount } },
  { ...update, ...instance, operation: 'users.update', path: one, body: UserPatch, responses: { 200: User } },
  {
    ...create,
    ...instance,
    operation: 'users.resetPassword',
    path: `${one}/reset-password`,
    body: PasswordLinkInput,
    responses: { 201: OneTimeLink },
  },
  {
    ...action,
    operation: 'invitations.create',
    path: `${workspace}/members/{id}/invitation`,
    role: 'owner',
    responses: { 201: OneTimeLink },
  },
  {
    ...action,
    ...instance,
    operation: 'users.signInLink',
    path: `${one}/sign-in-link`,
    responses: { 201: OneTimeLink },
  },
] as const satisfies readonly AdminRoute[]
