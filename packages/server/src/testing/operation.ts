import { apiRoutes, inboundRoutes, type Route } from '@service/contract'
import { routeFinder } from '@service/contract/match-routes'

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
