import type { AdminRoute } from '@service/contract'
import { paramNamesIn } from '@service/contract/path-params'
import type { AdminCaller } from '../core/admin-caller.ts'
import { isJsonObject } from '../core/json.ts'
import type { NewAuditEntry } from '../modules/audit-log/service.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields that hold a secret, or a URL that may contain one. */
const secretFields = new Set(['token', 'secret', 'password', 'current_password', 'code', 'link', 'url', 'curl'])
const hidden = '***'

/** A copy without secrets, at every depth. Of a URL, only its origin remains: who reads the log must see where data goes. */
export const withoutSecrets = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, field: unknown) => {
      if (!secretFields.has(name) || field === null) return field
      return name === 'url' && typeof field === 'string' && URL.canParse(field)
        ? `${new URL(field).origin}/${hidden}`
        : hidden
    }) ?? 'null',
  )

export const hasSecrets = (value: unknown): boolean => JSON.stringify(value) !== JSON.stringify(withoutSecrets(value))

interface Change {
  readonly route: AdminRoute
  readonly caller: AdminCaller
  readonly requestId: string
  readonly workspaceId: number | undefined
  readonly params: Fields
  readonly body: unknown
  readonly before: unknown
  /** The resource after an update. Unlike the answer, it has the same fields as `before`. */
  readonly after?: unknown
  readonly answer: unknown
}

export function toAuditEntry({ route, caller, requestId, workspaceId, ...change }: Change): NewAuditEntry {
  const answer = toFields(change.answer)
  const resource = findResource(route, change.params, answer)
  // Converting a lead answers with its deal.
  const isOther = answer?.['id'] !== undefined && String(answer['id']) !== resource
  return {
    ...actorOf(caller, answer),
    address: caller.address,
    operation: route.operation,
    workspace_id: workspaceId ?? createdWorkspaceId(route, answer),
    resource,
    resource_name: resourceName({
      ...toFields(change.before),
      ...toFields(change.after),
      ...(isOther ? {} : answer),
    }),
    request_id: requestId,
    ...toStates(route, {
      before: toFields(change.before),
      answer: toFields(change.after) ?? answer,
      body: toFields(change.body),
    }),
  }
}

function actorOf({ kind, user, ...caller }: AdminCaller, answer: Fields | undefined) {
  if (kind === 'api_token')
    return { actor: `api_token:${caller.apiTokenId}`, actor_name: user?.name ?? null, via: null }
  // For a sign-in, the response names the user.
  const person = kind === 'public' ? personIn(answer) : user
  if (person === undefined) return { actor: kind, actor_name: null, via: null }
  return { actor: `person:${person.id}`, actor_name: person.name, via: getVia(caller) }
}

function getVia({ sessionId, personalTokenId }: Pick<AdminCaller, 'sessionId' | 'personalTokenId'>): string | null {
  if (personalTokenId !== undefined) return `personal_token:${personalTokenId}`
  return sessionId === undefined ? null : `session:${sessionId}`
}

function personIn(answer: Fields | undefined): { id: unknown; name: string } | undefined {
  const user = toFields(answer?.['user']) ?? answer
  return user === undefined ? undefined : { id: user['id'], name: String(user['name']) }
}

/** The change belongs to the workspace that the request created. */
function createdWorkspaceId({ operation }: AdminRoute, answer: Fields | undefined): number | null {
  const created = operation === 'workspaces.create' ? answer : toFields(answer?.['workspace'])
  const id = created?.['id']
  return typeof id === 'number' ? id : null
}

function findResource({ path }: AdminRoute, params: Fields, answer: Fields | undefined): string | null {
  const named = paramNamesIn(path)
    .filter((name) => name !== 'workspace')
    .at(-1)
  const id = named === undefined ? answer?.['id'] : params[named]
  return id === undefined ? null : String(id)
}

const nameLength = 200

function resourceName({ ticket_number, title, name, email, device_name, user, description }: Fields): string | null {
  const own = title ?? name ?? device_name ?? toFields(user)?.['name'] ?? email ?? description
  const text = [ticket_number, own].filter((part) => typeof part === 'string').join(' ')
  return text === '' ? null : text.slice(0, nameLength)
}

/** Fields computed from other records add nothing to a change and may be long. */
const computedFields: ReadonlySet<string> = new Set(['timeline', 'updated_at'])

interface States {
  readonly before: Fields | undefined
  readonly answer: Fields | undefined
  readonly body: Fields | undefined
}

/** For an update, only the changed fields; for a creation or deletion, all. */
function toStates({ method }: AdminRoute, { before, answer, body }: States) {
  if (method === 'DELETE') return { before: toState(before), after: null }
  if (before === undefined || answer === undefined) return { before: toState(before), after: toState(answer) }
  const differs = ([name, value]: [string, unknown]) =>
    !computedFields.has(name) && JSON.stringify(value) !== JSON.stringify(before[name])
  const changed = Object.fromEntries(Object.entries(answer).filter(differs))
  const chosen = Object.fromEntries(
    Object.keys(body ?? {}).flatMap((name) => (secretFields.has(name) ? [[name, hidden]] : [])),
  )
  const old = Object.fromEntries(Object.entries(before).filter(([name]) => name in changed))
  return { before: toState(old), after: toState({ ...chosen, ...changed }) }
}

const toState = (fields: Fields | undefined) => (fields === undefined ? null : JSON.stringify(withoutSecrets(fields)))

const toFields = (value: unknown): Fields | undefined => (isJsonObject(value) ? value : undefined)
