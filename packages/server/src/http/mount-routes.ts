import type { Route } from '@service/contract'
import { mostSpecificFirst } from '@service/contract/match-routes'
import { type PathParamName, segmentPattern } from '@service/contract/path-params'
import type { Handler, Hono } from 'hono'
import { ApiError } from '../core/errors.ts'
import { isNameable } from './nameable.ts'
import type { RequestPipeline } from './request-pipeline.ts'

interface Mounting {
  readonly basePath: string
  readonly mounted: readonly MountedRoute[]
}

export interface MountedRoute {
  readonly route: Pick<Route, 'method' | 'path'>
  readonly handler: Handler
}

/** Puts routes under a base path. A known path asked with another method is 405 and says which methods it has. */
export function mountRoutes(hono: Hono, pipeline: RequestPipeline, { basePath, mounted }: Mounting): void {
  const methodsByPath = new Map<string, string[]>()
  for (const { route, handler } of mostSpecificFirst(mounted, ({ route }) => route.path)) {
    const path = `${basePath}${toHonoPath(route.path)}`
    hono.on(route.method, path, whereNameable(handler))
    methodsByPath.set(path, [
      ...(methodsByPath.get(path) ?? []),
      ...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]),
    ])
  }
  for (const [path, methods] of methodsByPath) hono.all(path, whereNameable(methodNotAllowed(pipeline, path, methods)))
}

/** The path as Hono writes it. */
export function toHonoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: PathParamName) => {
    const pattern = segmentPattern(name)
    return pattern === undefined ? `:${name}` : `:${name}{${pattern}}`
  })
}

/** See `nameable.ts`; such a path is a route that is not known, whoever asks. */
const whereNameable =
  (handler: Handler): Handler =>
  (c, next) =>
    isNameable(c.req.param()) ? handler(c, next) : next()

function methodNotAllowed(pipeline: RequestPipeline, path: string, methods: readonly string[]): Handler {
  const allow = methods.join(', ')
  return pipeline.wrapHandler(path, async (c, context) => {
    await pipeline.admit(c.req.raw, context)
    throw new ApiError(
      'method_not_allowed',
      `The ${c.req.method} method is not supported for this route. Supported: ${allow}.`,
      {
        headers: { allow },
      },
    )
  })
}
