import { operationNames } from '@service/contract'
import { keysOf, nearest, requireKnown } from '../core/known-keys.ts'
import type { ObservedRequest, OperationName } from './observed-request.ts'

/** Which requests match. All given fields must match; without fields every request matches. */
export interface RequestMatch {
  /** The name in the client, e.g. `tickets.create`. */
  readonly operation?: OperationName | undefined
  readonly method?: string | undefined
  /** A path such as `/api/v1/workspaces/1/tickets`, or a regular expression. */
  readonly path?: string | RegExp | undefined
  readonly workspace?: number | undefined
  /** The bearer token. */
  readonly token?: string | undefined
  /** Headers by lower-case name, with a text or a regular expression for the value. */
  readonly headers?: Readonly<Record<string, string | RegExp>> | undefined
}

export const matchNames = keysOf<RequestMatch>({
  operation: true,
  method: true,
  path: true,
  workspace: true,
  token: true,
  headers: true,
})

/** Throws a TypeError for a match that is never true: with a misspelled operation a test would prove nothing. */
export function checkMatch(match: RequestMatch, names: readonly string[] = matchNames): void {
  requireKnown(match, names, 'A match')
  const { operation } = match
  if (operation === undefined || operationNames.includes(operation)) return
  const meant = nearest(String(operation), operationNames)
  const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`
  throw new TypeError(
    `There is no operation ${JSON.stringify(operation)}.${hint} There are ${operationNames.join(', ')}; other routes are meant by \`path\`.`,
  )
}

/** The parts of a request that a matcher compares. */
export type Matchable = Pick<ObservedRequest, 'method' | 'path' | 'operation'> & {
  readonly request: Pick<Request, 'headers'>
}

export function fits(match: RequestMatch, { method, path, operation, request }: Matchable): boolean {
  const { headers } = request
  return (
    isOrFits(match.operation, operation?.route.operation) &&
    isOrFits(match.method?.toUpperCase(), method) &&
    isOrFits(match.path, path) &&
    (match.workspace === undefined || match.workspace === operation?.workspaceId) &&
    (match.token === undefined || headers.get('authorization') === `Bearer ${match.token}`) &&
    Object.entries(match.headers ?? {}).every(([name, value]) => isOrFits(value, headers.get(name)))
  )
}

function isOrFits(wanted: string | RegExp | undefined, value: string | null | undefined): boolean {
  if (wanted === undefined) return true
  if (typeof wanted === 'string') return wanted === value
  return value !== null && value !== undefined && wanted.test(value)
}
