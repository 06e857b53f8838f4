import { type Operation, operationOf } from './operation.ts'

/** A request that reached the test server, over whichever transport. */
export interface ObservedRequest {
  readonly request: Request
  readonly method: string
  readonly path: string
  readonly operation: Operation | undefined
  /** Present when it came over a port: Node's own request and response, for faults of the socket. */
  readonly env: object | undefined
  /** The fault that struck it, in words; whoever makes it strike writes it here. */
  fault?: string
}

export function toObservedRequest(request: Request, env: object | undefined): ObservedRequest {
  const { method } = request
  const path = pathOf(request.url)
  return { request, method, path, operation: operationOf(method, path), env }
}

/** Cheaper than a URL, for a request has an absolute one already. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(start).search(/[?#]/)
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}
