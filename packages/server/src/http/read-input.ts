import type { Route } from '@service/contract'
import { type PathParamName, paramNamesIn, pathParams } from '@service/contract/path-params'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { checkInput } from '../core/check-input.ts'
import { notFound } from '../core/errors.ts'

type Params = Readonly<Record<string, unknown>>

/** Reads the parameters of a route's path besides the workspace, which is checked with the caller. */
export function paramsReader({ path }: Pick<Route, 'path'>): (c: Context) => Params {
  const names = paramNamesIn(path).filter((name) => name !== 'workspace')
  if (names.length === 0) return () => ({})
  return (c) => Object.fromEntries(names.map((name) => [name, readParam(name, c.req.param(name) ?? '')]))
}

/** A segment that cannot be the parameter names no route. More than 15 digits fit no column. */
function readParam(name: PathParamName, text: string): unknown {
  const { schema } = pathParams[name]
  const isNumber = schema._zod.def.type === 'number'
  if (isNumber && !/^\d{1,15}$/.test(text)) throw notFound('route')
  const parsed = z.safeParse(schema, isNumber ? Number(text) : text)
  if (parsed.success) return parsed.data
  throw notFound('route')
}

/** The query string as the route's schema has it; undefined where the route has no parameters there. */
export const readQuery = ({ query }: Pick<Route, 'query'>, c: Context): unknown =>
  query === undefined ? undefined : checkInput(query, c.req.query())
