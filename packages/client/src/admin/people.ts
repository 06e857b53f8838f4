import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import type { ById, Changed, InWorkspace, Page, PageQuery } from './page.ts'

/** A workspace: tickets, people and all else belong to one. */
export interface Workspace {
  id: number
  name: string
  /** IANA name, e.g. `Europe/Berlin`; days begin at its midnight. */
  time_zone: string
  /** ISO 4217 code, e.g. `EUR`, of the amounts of deals and leads; null when not set. */
  currency: string | null
  created_at: string
}

export interface NewWorkspace {
  name: string
  /** `UTC` when not given. */
  time_zone?: string | undefined
  /** ISO 4217 code, e.g. `EUR`. */
  currency?: string | null | undefined
}

/** The workspaces of the instance. */
export interface Workspaces {
  /** Newest first. Only for who administers the instance. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<Workspace>>
  /** Only for who administers the instance. */
  create(workspace: NewWorkspace, options?: CreateOptions): Call<Workspace>
  /** @throws NotFoundError for a workspace that does not exist or is not the caller's. */
  get(at: InWorkspace, options?: CallOptions): Call<Workspace>
  /** A field that is left out stays as it is. */
  update(at: InWorkspace, patch: Partial<NewWorkspace>, options?: CallOptions): Call<Workspace>
}

/** What a person may do in a workspace, most first. */
export type MemberRole = 'owner' | 'admin' | 'member' | 'viewer'

/** A person as a member of one workspace; the id is the user's, the same in all workspaces. */
export interface Member {
  id: number
  name: string
  email: string
  role: MemberRole
  created_at: string
}

export interface NewMember {
  /** The name is what the workspace calls the person; somebody with that e-mail address keeps their own name. */
  name: string
  email: string
  /** `member` when not given. */
  role?: MemberRole | undefined
}

export interface MemberPatch {
  name?: string | undefined
  role?: MemberRole | undefined
}

/** The people of a workspace. */
export interface Members {
  /** Newest user first. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<Member>>
  /** @throws ConflictError when they are a member already. */
  create(at: InWorkspace, member: NewMember, options?: CreateOptions): Call<Member>
  /** The id is the user's. */
  get(at: ById, options?: CallOptions): Call<Member>
  /** @throws ConflictError where the workspace would lose its last owner. */
  update(at: ById, patch: MemberPatch, options?: CallOptions): Call<Member>
  /**
   * Removes a person from the workspace. What they made stays, their API tokens there are revoked.
   *
   * @throws ConflictError where the workspace would lose its last owner.
   */
  delete(at: ById, options?: CallOptions): Call<Changed>
}

/** What an API token may do. */
export type Scope =
  | 'tickets:read'
  | 'tickets:write'
  | 'tasks:write'
  | 'projects:read'
  | 'hrms:read'
  | 'hrms:write'
  | 'crm:read'
  | 'crm:write'
  | 'webhooks:manage'

/** An API token as it may be shown. */
export interface ApiToken {
  id: number
  workspace_id: number
  /** Who it acts as. */
  user_id: number
  name: string
  /** Its last four characters. */
  hint: string
  scopes: Scope[]
  expires_at: string | null
  revoked_at: string | null
  /** To the minute. */
  last_used_at: string | null
  created_at: string
}

/** With its text, which is in this answer and in no other. */
export interface NewApiToken extends ApiToken {
  token: string
}

export interface TokenInput {
  /** Who it acts as; must be a member of the workspace. The caller, where it is a person, when left out. */
  user_id?: number | undefined
  /** `API token` when not given. */
  name?: string | undefined
  scopes: Scope[]
  /** An instant with an offset, e.g. `2027-01-01T00:00:00Z`; never when left out. */
  expires_at?: string | null | undefined
}

/** The API tokens of a workspace. */
export interface Tokens {
  /** Newest first; revoked ones too. */
  list(at: InWorkspace, query?: PageQuery, options?: CallOptions): Call<Page<ApiToken>>
  /** The text of the token is in this answer and in no other. */
  create(at: InWorkspace, token: TokenInput, options?: CreateOptions): Call<NewApiToken>
  get(at: ById, options?: CallOptions): Call<ApiToken>
  /** Works at once: the next request with the token is refused. */
  revoke(at: ById, options?: CallOptions): Call<ApiToken>
}
