import type { AdminRole, Named } from '@service/contract'

/** Who or what changes something. The history of a ticket names it. */
export interface Actor {
  readonly kind: 'user' | 'rule' | 'error_report'
  readonly id: number | null
}

export interface AdminCaller {
  readonly kind: 'public' | 'in_process' | 'instance_token' | 'command_line' | 'person' | 'api_token'
  /** The person, or whom the API token acts as. */
  readonly user?: Named | undefined
  readonly sessionId?: number | undefined
  readonly personalTokenId?: number | undefined
  readonly apiTokenId?: number | undefined
  /** What the caller may do at most, in the workspace of the request where there is one. */
  readonly role: AdminRole
  readonly address: string
  readonly userAgent: string | null
}

/** Who has a higher one may do all that those with a lower one may. */
const ranks: Readonly<Record<AdminRole, number>> = {
  public: 0,
  person: 1,
  viewer: 2,
  member: 3,
  admin: 4,
  owner: 5,
  instance: 6,
}

export const isAtLeast = (role: AdminRole, needed: AdminRole): boolean => ranks[role] >= ranks[needed]

/** The member of the workspace who asks; who administers the instance need not be one. */
export const memberWhoAsks = ({ user, role }: AdminCaller): number | undefined =>
  role === 'instance' ? undefined : user?.id

/** Whom the history of a ticket names for what a caller changes; an instance's token is nobody. */
export const actorOf = ({ user }: AdminCaller): Actor | undefined =>
  user === undefined ? undefined : { kind: 'user', id: user.id }
