/** The way by which a request came. */
export type DoorName = 'in process' | 'port' | 'msw'

const told = new WeakMap<Request, DoorName>()

/** For what hands requests on to `server.fetch`: the journal then names the door that the caller knocked at. */
export function cameThrough(request: Request, door: DoorName): Request {
  told.set(request, door)
  return request
}

export const doorOf = (request: Request, env: object | undefined): DoorName =>
  told.get(request) ?? (env === undefined ? 'in process' : 'port')
