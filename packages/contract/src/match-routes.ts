import { type PathParamName, segmentPattern } from './path-params.ts'
import type { Route } from './route.ts'
import { fullPath } from './routes.ts'

/**
 * Sorts routes in matching order: a fixed segment before a parameter, and a parameter with a
 * pattern before one without. So `errors` is never matched as a Git provider.
 */
export const mostSpecificFirst = <Of>(list: readonly Of[], pathOf: (one: Of) => string): Of[] =>
  list.toSorted((one, other) => compare(generalityOf(pathOf(one)), generalityOf(pathOf(other))))

/** How general each segment is. */
const generalityOf = (path: string): number[] => path.split('/').map(segmentGenerality)

function segmentGenerality(segment: string): number {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1]
  if (name === undefined) return 0
  return segmentPattern(name as PathParamName) === undefined ? 2 : 1 // `routes.ts` rejects any other name
}

/** Paths of different lengths never match the same request, but a sort needs a total order. */
function compare(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length) return one.length - other.length
  const differing = one.findIndex((freedom, index) => freedom !== other[index])
  return differing === -1 ? 0 : (one[differing] ?? 0) - (other[differing] ?? 0)
}

/** The route of a request, with its path parameters as text. */
export interface MatchedRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** Finds the route of a request as a router does. Undefined if no route has this method and path. */
export function routeFinder(routes: readonly Route[]): (method: string, path: string) => MatchedRoute | undefined {
  const patterns = mostSpecificFirst(routes, fullPath).map((route) => ({ route, pattern: toPattern(route) }))
  return (method, path) => {
    for (const { route, pattern } of patterns) {
      const match = route.method === method ? pattern.exec(path) : null
      if (match !== null) return { route, params: match.groups ?? {} }
    }
    return undefined
  }
}

function toPattern(route: Route): RegExp {
  const toGroup = (_: string, name: PathParamName) => `(?<${name}>${segmentPattern(name) ?? '[^/]+'})`
  const source = fullPath(route).replace(/\{(\w+)\}/g, toGroup)
  return new RegExp(`^${source}$`)
}
