import type { Visit } from './visit.ts'

/** Which requests are meant. All that is given must hold; nothing given means every request. */
export interface RequestMatch {
  /** As the client calls it, e.g. `tickets.create`. */
  readonly operation?: string | undefined
  readonly method?: string | undefined
  /** A path such as `/api/v1/workspaces/1/tickets`, or an expression that it must fit. */
  readonly path?: string | RegExp | undefined
  readonly workspace?: number | undefined
  /** The bearer token. */
  readonly token?: string | undefined
  /** Headers by lower-case name; an expression must fit the value. */
  readonly headers?: Readonly<Record<string, string | RegExp>> | undefined
}

/** What of a request a match looks at. */
export type Matchable = Pick<Visit, 'method' | 'path' | 'operation'> & { readonly request: Pick<Request, 'headers'> }

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
