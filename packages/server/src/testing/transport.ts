/** The way by which a request came. */
export type Transport = 'in process' | 'port' | 'msw'

const told = new WeakMap<Request, Transport>()

/** For what hands requests on to `server.fetch`: the journal then names the way by which it came. */
export function setTransport(request: Request, transport: Transport): Request {
  told.set(request, transport)
  return request
}

export const transportOf = (request: Request, env: object | undefined): Transport =>
  told.get(request) ?? (env === undefined ? 'in process' : 'port')
