import type { Handler, Hono } from 'hono'
import { ApiError } from '../api-error.ts'
import type { Door } from './door.ts'

/** A route of the contract, or one of administration. */
interface Mountable {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
}

interface Mounting {
  readonly basePath: string
  readonly mounted: readonly { readonly route: Mountable; readonly handler: Handler }[]
}

/** Puts routes under a base path. A known path asked with another method is 405 and says which methods it has. */
export function mountRoutes(hono: Hono, door: Door, { basePath, mounted }: Mounting): void {
  const methodsByPath = new Map<string, string[]>()
  for (const { route, handler } of mounted) {
    const path = `${basePath}${toHonoPath(route.path)}`
    hono.on(route.method, path, handler)
    methodsByPath.set(path, [
      ...(methodsByPath.get(path) ?? []),
      ...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]),
    ])
  }
  for (const [path, methods] of methodsByPath) hono.all(path, methodNotAllowed(door, path, methods))
}

/** `{workspace}` is an integer (§4); anything else is not a known route. */
function toHonoPath(path: string): string {
  return path.replace('{workspace}', ':workspace{[0-9]+}').replace(/\{(\w+)\}/g, ':$1')
}

function methodNotAllowed(door: Door, path: string, methods: readonly string[]): Handler {
  const allow = methods.join(', ')
  return door.guard(path, async (c) => {
    throw new ApiError(
      'method_not_allowed',
      `The ${c.req.method} method is not supported for this route. Supported: ${allow}.`,
      {
        headers: { allow },
      },
    )
  })
}
