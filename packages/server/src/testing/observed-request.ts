import type { Client } from '@service/client'
import type { InboundClient } from '@service/client/inbound'
import { apiRoutes, inboundRoutes, type Route } from '@service/contract'
import { routeFinder } from '@service/contract/match-routes'

/** A request that reached the test server, over whichever transport. */
export interface ObservedRequest {
  readonly request: Request
  readonly method: string
  readonly path: string
  /** Without its question mark. */
  readonly query: string
  readonly operation: Operation | undefined
  /** Present when it came over a port: Node's own request and response, for faults of the socket. */
  readonly env: object | undefined
  /** The name of the fault that applied to it. */
  fault?: string
}

export function toObservedRequest(request: Request, env: object | undefined): ObservedRequest {
  const { method } = request
  const { pathname: path, search } = new URL(request.url)
  return { request, method, path, query: search.slice(1), operation: operationOf(method, path), env }
}

/** A route of the contract that a request is for. */
export interface Operation {
  readonly route: Route
  readonly workspaceId: number
}

const findRoute = routeFinder([...apiRoutes, ...inboundRoutes])

/** Undefined for administration, documentation and what does not exist. */
export function operationOf(method: string, path: string): Operation | undefined {
  const found = findRoute(method, path)
  return found && { route: found.route, workspaceId: Number(found.params['workspace']) }
}

/** The methods of a client and of its parts, as `resource.verb`. */
type MethodNames<Part> = {
  [Key in keyof Part & string]: Part[Key] extends (...input: never) => unknown
    ? Key
    : `${Key}.${MethodNames<Part[Key]>}`
}[keyof Part & string]

/** The operations of the REST API and of the inbound webhooks, as the clients call them: `tickets.create`, `git.send`. */
export type OperationName = MethodNames<Client> | MethodNames<InboundClient>

/** How a request reached the server. */
export type Transport = 'in process' | 'port' | 'msw'

const transports = new WeakMap<Request, Transport>()

/** For code that passes requests on to `server.fetch`: the journal then names this transport. */
export function setTransport(request: Request, transport: Transport): Request {
  transports.set(request, transport)
  return request
}

export const transportOf = (request: Request, env: object | undefined): Transport =>
  transports.get(request) ?? (env === undefined ? 'in process' : 'port')
