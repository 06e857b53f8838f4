import type { Context } from 'hono'
import { notFound, unauthorized, validation } from '../api-error.ts'
import type { Config } from '../config.ts'
import type { App } from '../context.ts'
import { workspaceName } from '../modules/workspaces/service.ts'
import { defaultPage, largestPage, type Page } from '../page.ts'
import { parseJson } from '../parse-json.ts'
import { hashSecret, isSecret } from '../secrets.ts'
import type { Answer } from './idempotency.ts'
import { readBytes, requireJson } from './read-body.ts'

/** Throws unless the request carries the token of administration. */
export function adminCheck({ config }: { readonly config: Pick<Config, 'adminToken'> }): (c: Context) => void {
  const { adminToken } = config
  const hash = adminToken === undefined ? undefined : hashSecret(adminToken)
  return (c) => {
    const token = /^Bearer +(\S+) *$/i.exec(c.req.raw.headers.get('authorization') ?? '')?.[1]
    if (hash === undefined || token === undefined || !isSecret(token, hash)) throw unauthorized('Unauthenticated.')
  }
}

/** The workspace of the path, which must exist. */
export async function workspaceOf(app: App, c: Context): Promise<number> {
  const workspaceId = numberOf(c, 'workspace')
  await workspaceName(app, workspaceId)
  return workspaceId
}

/** `{id}` of the path; 0 where it has none. */
export const idOf = (c: Context): number => (c.req.param('id') === undefined ? 0 : numberOf(c, 'id'))

/** What is no number has no route; what no column can hold names nothing that exists. */
function numberOf(c: Context, name: string): number {
  const text = c.req.param(name) ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw notFound('route')
}

/** The JSON of the body, or an empty object where there is none. */
export async function bodyOf(c: Context): Promise<unknown> {
  const bytes = await readBytes(c.req.raw)
  if (bytes.length === 0) return {}
  requireJson(c.req.raw)
  return parseJson(bytes)
}

/** `?limit` and `?before`. */
export function pageOf(c: Context): Page {
  return {
    limit: wholeNumber(c, 'limit', largestPage) ?? defaultPage.limit,
    before: wholeNumber(c, 'before', Number.MAX_SAFE_INTEGER),
  }
}

function wholeNumber(c: Context, name: string, largest: number): number | undefined {
  const text = c.req.query(name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= largest) return value
  throw validation({ [name]: [`The ${name} parameter must be a whole number from 1 to ${largest}.`] })
}

/** `next_before` is what `?before` of the next page is; null on the last. */
export function toPage(rows: readonly { readonly id: number }[], { limit }: Page): Answer {
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { status: 200, json: JSON.stringify({ data: rows, next_before: last?.id ?? null }) }
}
