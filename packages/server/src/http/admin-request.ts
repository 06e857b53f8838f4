import type { AdminRoute } from '@service/contract'
import { largestPage } from '@service/contract/admin/pages'
import type { Context } from 'hono'
import { checkKnownQuery, parseJsonBody } from '../core/check-input.ts'
import { validation } from '../core/errors.ts'
import { readBytes, requireJson } from './read-body.ts'

/** The workspace of the path. */
export const workspaceIdOf = (c: Context): number => Number(c.req.param('workspace'))

interface Body {
  readonly bytes: Uint8Array
  readonly json: unknown
}

export const noBody: Body = { bytes: new Uint8Array(), json: {} }

/** The body's bytes and its JSON, which is an empty object where there is none. */
export async function bodyOf(c: Context): Promise<Body> {
  const bytes = await readBytes(c.req.raw, c.env)
  if (bytes.length === 0) return noBody
  requireJson(c.req.raw)
  return { bytes, json: parseJsonBody(bytes) }
}

/** The query string as the route's schema has it, and nothing else. Pages say in their own sentence what is wrong with them. */
export function queryOf({ query }: AdminRoute, c: Context): unknown {
  if (query !== undefined && 'limit' in query.shape) {
    requireWholeNumber(c, 'limit', largestPage)
    requireWholeNumber(c, 'before', Number.MAX_SAFE_INTEGER)
  }
  return checkKnownQuery(query, c.req.query())
}

function requireWholeNumber(c: Context, name: string, largest: number): void {
  const text = c.req.query(name)
  if (text === undefined) return
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= largest) return
  throw validation({ [name]: [`The ${name} parameter must be a whole number from 1 to ${largest}.`] })
}
