import type { Route } from '@service/contract'
import { mostSpecificFirst } from '@service/contract/match-routes'
import { type PathParamName, segmentPattern } from '@service/contract/path-params'
import type { Handler, Hono } from 'hono'
import { ApiError, notFound } from '../core/errors.ts'
import type { RequestPipeline } from './request-pipeline.ts'

interface Mounting {
  readonly basePath: string
  readonly mounted: readonly MountedRoute[]
}

export interface MountedRoute {
  readonly route: Pick<Route, 'method' | 'path'>
  readonly handler: Handler
}

/** Mounts routes under a base path. A known path with an unsupported method is 405 with `Allow`. */
export function mountRoutes(hono: Hono, pipeline: RequestPipeline, { basePath, mounted }: Mounting): void {
  const methodsByPath = new Map<string, string[]>()
  for (const { route, handler } of mostSpecificFirst(mounted, ({ route }) => route.path)) {
    const path = `${basePath}${toHonoPath(route.path)}`
    hono.on(route.method, path, ifIdentifiable(handler))
    methodsByPath.set(path, [
      ...(methodsByPath.get(path) ?? []),
      ...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]),
    ])
  }
  for (const [path, methods] of methodsByPath) hono.all(path, ifIdentifiable(methodNotAllowed(pipeline, path, methods)))
}

export function toHonoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: PathParamName) => {
    const pattern = segmentPattern(name)
    return pattern === undefined ? `:${name}` : `:${name}{${pattern}}`
  })
}

/** A path with an impossible parameter is treated as an unknown route. */
const ifIdentifiable =
  (handler: Handler): Handler =>
  (c, next) =>
    isIdentifiable(c.req.param()) ? handler(c, next) : next()

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

const wholeNumber = /^\d{1,16}$/
const controlCharacter = /[\u0000-\u001f\u007f]/

/**
 * Whether the path parameters can identify a record. A number beyond 2^53 and text with NUL, which PostgreSQL rejects,
 * fit no column.
 */
export const isIdentifiable = (parameters: Readonly<Record<string, string>>): boolean =>
  Object.entries(parameters).every(([name, value]) =>
    name === 'workspace' || name === 'id'
      ? wholeNumber.test(value) && Number(value) <= Number.MAX_SAFE_INTEGER
      : !controlCharacter.test(value),
  )

/** Unknown routes are 404 and count toward the caller's rate limit. */
export function refuseUnknown(hono: Hono, pipeline: RequestPipeline): void {
  const unknown = pipeline.wrapHandler('unknown', async (c, context) => {
    await pipeline.admit(c.req.raw, context)
    throw notFound('route')
  })
  hono.notFound(async (c) => (await unknown(c, async () => undefined)) ?? c.body(null, 404))
}
