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

export function toHonoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: PathParamName) => {
    const pattern = segmentPattern(name)
    return pattern === undefined ? `:${name}` : `:${name}{${pattern}}`
  })
}

/** What is not nameable is a route that is not known, whoever asks. */
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

const wholeNumber = /^\d{1,16}$/
const controlCharacter = /[\u0000-\u001f\u007f]/

/**
 * Whether the parameters of a path can be the name of something. What no column can hold names nothing that exists: a
 * number beyond 2^53, or a text with NUL, which PostgreSQL refuses as a parameter of a statement.
 */
export const isNameable = (parameters: Readonly<Record<string, string>>): boolean =>
  Object.entries(parameters).every(([name, value]) =>
    name === 'workspace' || name === 'id'
      ? wholeNumber.test(value) && Number(value) <= Number.MAX_SAFE_INTEGER
      : !controlCharacter.test(value),
  )

/** What no route is for is 404, and counts as a request of whoever asks. */
export function refuseUnknown(hono: Hono, pipeline: RequestPipeline): void {
  const unknown = pipeline.wrapHandler('unknown', async (c, context) => {
    await pipeline.admit(c.req.raw, context)
    throw notFound('route')
  })
  hono.notFound(async (c) => (await unknown(c, async () => undefined)) ?? c.body(null, 404))
}
