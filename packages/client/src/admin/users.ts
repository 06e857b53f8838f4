import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { Changed, Page, PageQuery } from './page.ts'
import type { MemberRole, Workspace } from './people.ts'

/** A person of the instance. */
export interface User {
  id: number
  name: string
  email: string
  is_instance_admin: boolean
  /** Whether they can sign in. */
  has_password: boolean
  disabled_at: string | null
  created_at: string
}

export interface NewUser {
  name: string
  email: string
  /** `false` when not given. */
  is_instance_admin?: boolean | undefined
}

export interface UserPatch {
  name?: string | undefined
  is_instance_admin?: boolean | undefined
  /** Who is disabled cannot sign in, and none of their tokens works. */
  disabled?: boolean | undefined
}

/** A link that works once. */
export interface OneTimeLink {
  /** The path below the server's address, with the code. It is in this answer and in no other. */
  link: string
  expires_at: string
}

/** The people of the instance. Only for who administers it. */
export interface Users {
  /** Newest first. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<User>>
  /**
   * Creates a person, who has no password yet.
   *
   * @throws ConflictError when somebody has this e-mail address.
   */
  create(user: NewUser, options?: CreateOptions): Call<User>
  get(at: { id: number }, options?: CallOptions): Call<User>
  /** A field that is left out stays as it is. */
  update(at: { id: number }, patch: UserPatch, options?: CallOptions): Call<User>
  /** A link with which the person chooses a password. It works for one hour. */
  resetPassword(at: { id: number }, options?: CreateOptions): Call<OneTimeLink>
  /** A link with which whoever opens it is signed in as the person. It works once, for one hour. */
  signInLink(at: { id: number }, options?: CreateOptions): Call<OneTimeLink>
}

/** The caller's own account. */
export interface UserAccount extends User {
  workspaces: { id: number; name: string; role: MemberRole }[]
}

export interface AccountPatch {
  name?: string | undefined
  password?: string | undefined
  /** Needed for another password. */
  current_password?: string | undefined
}

/** Only for a person who has signed in. */
export interface OwnAccount {
  get(options?: CallOptions): Call<UserAccount>
  /** Another password needs the current one and ends all other sessions. */
  update(patch: AccountPatch, options?: CallOptions): Call<UserAccount>
}

/** A personal access token as it may be shown. */
export interface PersonalToken {
  id: number
  name: string
  /** Its last four characters. */
  hint: string
  expires_at: string
  revoked_at: string | null
  /** To the minute. */
  last_used_at: string | null
  created_at: string
}

/** With its text, which is in this answer and in no other. */
export interface NewPersonalToken extends PersonalToken {
  token: string
}

export interface PersonalTokenInput {
  name: string
  /** An instant with an offset, e.g. `2027-01-01T00:00:00Z`. */
  expires_at: string
}

/** Tokens that may do what their owner may. Only for a person who has signed in. */
export interface PersonalTokens {
  /** Newest first; revoked ones too. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<PersonalToken>>
  /** Needs a session. The text of the token is in this answer and in no other. */
  create(token: PersonalTokenInput, options?: CreateOptions): Call<NewPersonalToken>
  /** Works at once: the next request with the token is refused. */
  revoke(at: { id: number }, options?: CallOptions): Call<PersonalToken>
}

/** A sign-in that is still valid. */
export interface Session {
  id: number
  address: string
  user_agent: string | null
  created_at: string
  /** To the minute. */
  last_seen_at: string
  expires_at: string
  /** Whether this request was made with it. */
  current: boolean
}

/** With the text that later requests carry as a bearer token; it is in this answer and in no other. */
export interface NewSession {
  id: number
  token: string
  expires_at: string
  user: User
}

export interface Credentials {
  email: string
  password: string
}

/** Who has signed in. */
export interface Sessions {
  /** The caller's own, newest first. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<Session>>
  /**
   * Signs in.
   *
   * @throws AuthenticationError when the address or the password is wrong.
   */
  create(credentials: Credentials, options?: CreateOptions): Call<NewSession>
  /**
   * Signs in by the code of a link from `users.signInLink`.
   *
   * @throws AuthenticationError when the link was used or has expired.
   */
  createByLink(input: { code: string }, options?: CreateOptions): Call<NewSession>
  /** Signs out. */
  delete(at: { id: number }, options?: CallOptions): Call<Changed>
}

export interface SetupInput {
  /** Of the set-up link. */
  code: string
  name: string
  email: string
  password: string
  /** The name of the workspace. */
  workspace: string
}

/** The first person and the first workspace. */
export interface SetupResult {
  session: NewSession
  user: User
  workspace: Workspace
}

export interface Setup {
  /** Creates the first person, who administers the instance, and the first workspace. */
  complete(input: SetupInput, options?: CreateOptions): Call<SetupResult>
}

/** Only for who administers the instance. */
export interface SetupLinks {
  /**
   * A link for the first set-up. It works for one hour.
   *
   * @throws ConflictError once somebody has a password.
   */
  create(options?: CreateOptions): Call<OneTimeLink>
}

export interface PasswordResets {
  /** Chooses a password by the code of a link from `users.resetPassword`. All sessions of the person end. */
  complete(input: { code: string; password: string }, options?: CreateOptions): Call<User>
}
