import { apiBasePath, apiRoutes, inboundBasePath, inboundRoutes, type Route } from '@service/contract'

/** A route of the contract that a request is for. */
export interface Operation {
  readonly route: Route
  readonly workspaceId: number
}

const patterns = [
  ...apiRoutes.map((route) => ({ route, pattern: patternOf(apiBasePath, route) })),
  ...inboundRoutes.map((route) => ({ route, pattern: patternOf(inboundBasePath, route) })),
]

function patternOf(basePath: string, route: Route): RegExp {
  const path = route.path.replace('{workspace}', '(\\d+)').replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${basePath}${path}$`)
}

/** Undefined for administration, documentation and what does not exist. */
export function operationOf(method: string, path: string): Operation | undefined {
  for (const { route, pattern } of patterns) {
    const match = route.method === method ? pattern.exec(path) : null
    if (match !== null) return { route, workspaceId: Number(match[1]) }
  }
  return undefined
}
