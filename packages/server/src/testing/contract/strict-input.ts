import type { Route } from '@service/contract'
import * as z from 'zod/mini'

const schemas = new WeakMap<z.ZodMiniType, z.ZodMiniType | undefined>()

/**
 * What a caller may send to a route, without leniency: the platform ignores keys that it does not know, but in a test such
 * a key is a slip of the pen. Undefined where the body is free, because other formats are read there too.
 */
export function strictInput({ body }: Route): z.ZodMiniType | undefined {
  if (body === undefined) return undefined
  if (!schemas.has(body)) schemas.set(body, toStrict(body))
  return schemas.get(body)
}

function toStrict(body: z.ZodMiniType): z.ZodMiniType | undefined {
  const { def } = body._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
  return def.type === 'object' && def.catchall === undefined ? z.strictObject(def.shape) : undefined
}
