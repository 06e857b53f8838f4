import { inspect } from 'node:util'
import type { Client } from '@service/client'
import type { InboundClient } from '@service/client/inbound'
import { apiRoutes, inboundRoutes, operationNames, type Route } from '@service/contract'
import { routeFinder } from '@service/contract/match-routes'
import { didYouMean } from '@service/contract/nearest'
import { keysOf, requireKnown } from '../core/known-keys.ts'

/** A request to the test server over any transport. */
export interface ObservedRequest {
  readonly request: Request
  readonly method: string
  readonly path: string
  /** Without its question mark. */
  readonly query: string
  readonly operation: Operation | undefined
  /** Present for a request over a port: Node's request and response, for socket faults. */
  readonly env: object | undefined
  /** The name of the fault that applied to it. */
  fault?: string
}

export function toObservedRequest(request: Request, env: object | undefined): ObservedRequest {
  const { method } = request
  const { pathname: path, search } = new URL(request.url)
  return { request, method, path, query: search.slice(1), operation: findOperation(method, path), env }
}

/** The contract route of a request. */
export interface Operation {
  readonly route: Route
  readonly workspaceId: number
}

const findRoute = routeFinder([...apiRoutes, ...inboundRoutes])

/** Undefined for the admin API, documentation, and unknown routes. */
export function findOperation(method: string, path: string): Operation | undefined {
  const found = findRoute(method, path)
  return found && { route: found.route, workspaceId: Number(found.params['workspace']) }
}

/** The methods of a client, as `resource.verb`. */
type MethodNames<Part> = {
  [Key in keyof Part & string]: Part[Key] extends (...input: never) => unknown
    ? Key
    : `${Key}.${MethodNames<Part[Key]>}`
}[keyof Part & string]

/** The operations of the REST API and the inbound webhooks by client method: `tickets.create`, `git.send`. */
export type OperationName = MethodNames<Omit<Client, 'request' | 'withOptions'>> | MethodNames<InboundClient>

/** How a request reached the server. */
export type Transport = 'in process' | 'port' | 'msw'

const transports = new WeakMap<Request, Transport>()

/** For code that forwards requests to `server.fetch`: sets the transport in the journal. */
export function setTransport(request: Request, transport: Transport): Request {
  transports.set(request, transport)
  return request
}

export const transportOf = (request: Request, env: object | undefined): Transport =>
  transports.get(request) ?? (env === undefined ? 'in process' : 'port')

/** Which requests match. All given fields must match; an empty match fits every request. */
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

/** Throws a TypeError for a match that is never true, which would make a test meaningless. */
export function checkMatch(match: RequestMatch, names: readonly string[] = matchNames): void {
  requireKnown(match, names, 'A match')
  if (match.operation !== undefined) checkOperation(match.operation)
  for (const [name, { isRight, expected }] of Object.entries(conditions)) {
    const value = match[name as keyof typeof conditions] // the keys of `conditions`
    if (value !== undefined && !isRight(value))
      throw new TypeError(`\`${name}\` must be ${expected}; it was ${inspect(value)}.`)
  }
}

function checkOperation(operation: OperationName): void {
  if (operationNames.includes(operation)) return
  const hint = didYouMean(String(operation), operationNames, "'")
  throw new TypeError(
    `There is no operation ${JSON.stringify(operation)}.${hint} There are ${operationNames.join(', ')}. Match other routes by \`path\`.`,
  )
}

interface Condition {
  readonly isRight: (value: unknown) => boolean
  readonly expected: string
}

const isPattern = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp

/** Paths have no such characters: they are from the query, or from the patterns of other libraries. */
const isPath = (path: unknown): boolean =>
  typeof path === 'string' && /^\/[^?#*{}^\\]*$/.test(path) && !path.includes('/:')

const conditions: { readonly [Name in keyof Required<Omit<RequestMatch, 'operation'>>]: Condition } = {
  method: { isRight: (method) => typeof method === 'string', expected: "a method, such as 'POST'" },
  path: {
    isRight: (path) => path instanceof RegExp || isPath(path),
    expected:
      "a full path without a query, such as '/api/v1/workspaces/1/tickets', or, in a program, a regular expression for several paths, such as /^\\/admin\\//",
  },
  workspace: { isRight: Number.isInteger, expected: 'the id of a workspace, a whole number' },
  token: {
    isRight: (token) => typeof token === 'string' && !/^bearer /i.test(token),
    expected: "the text of a token, without 'Bearer'",
  },
  headers: {
    isRight: (headers) => typeof headers === 'object' && Object.values(Object(headers)).every(isPattern),
    expected: 'an object whose values are texts or regular expressions',
  },
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

function isOrFits(expected: string | RegExp | undefined, value: string | null | undefined): boolean {
  if (expected === undefined) return true
  if (typeof expected === 'string') return expected === value
  // `test` would start where its last match ended if the flag `g` is set.
  return value !== null && value !== undefined && value.search(expected) !== -1
}
