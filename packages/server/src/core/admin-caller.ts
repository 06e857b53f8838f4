import type { AdminRole, Named } from '@service/contract'
import { forbidden } from './errors.ts'

/** Callers that are not a person. */
const callerNames = {
  command_line: 'Command line',
  in_process: 'Server program',
  instance_token: 'Admin token',
} as const

type NamedCaller = keyof typeof callerNames

const isNamed = (kind: string): kind is NamedCaller => Object.hasOwn(callerNames, kind)

/** The name of such a caller; undefined for others. */
export const callerName = (kind: string): string | undefined => (isNamed(kind) ? callerNames[kind] : undefined)

/** The author of a change, as named in the history of a ticket. A record without an author has its kind as its origin. */
export interface Actor {
  readonly kind: 'user' | 'rule' | 'error_report' | 'git_issue' | NamedCaller
  readonly id: number | null
}

interface StoredActor {
  readonly kind: string | null
  readonly id: number | null
  readonly name: string | null
}

/** A stored actor with its name; null if there is none. */
export const toNamedActor = ({ kind, id, name }: StoredActor) =>
  kind === null ? null : { kind, id, name: name ?? callerName(kind) ?? null }

export interface AdminCaller {
  readonly kind: 'public' | 'in_process' | 'instance_token' | 'command_line' | 'person' | 'api_token'
  /** The signed-in user, or the user that the API token acts for. */
  readonly user?: Named | undefined
  readonly sessionId?: number | undefined
  readonly personalTokenId?: number | undefined
  readonly apiTokenId?: number | undefined
  /** The caller's highest role, in the workspace of the request if there is one. */
  readonly role: AdminRole
  readonly address: string
  readonly userAgent: string | null
}

/** A higher role includes all permissions of the lower ones. */
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

interface ChosenAuthor {
  readonly field: string
  readonly id: number | null | undefined
}

/** The author of a record that a caller creates. Only admins and programs may name another person, or none. */
export function toAuthorId({ role, user }: AdminCaller, { field, id }: ChosenAuthor): number | null | undefined {
  if (id === undefined || id === user?.id) return user?.id
  if (!isAtLeast(role, 'admin'))
    throw forbidden(`Only admins may create a record for another author. Omit ${field}, or set it to your own user id.`)
  return id
}

/** The origin of a record: its actor, unless a person is its author or left the author out. */
export const toOrigin = (author: unknown, actor: Actor | undefined) =>
  author !== null || actor === undefined || actor.kind === 'user' ? { kind: null, id: null } : actor

/** The actor to name in a ticket's history. */
export function actorOf({ kind, user }: Pick<AdminCaller, 'kind' | 'user'>): Actor | undefined {
  if (user !== undefined) return { kind: 'user', id: user.id }
  return isNamed(kind) ? { kind, id: null } : undefined
}
