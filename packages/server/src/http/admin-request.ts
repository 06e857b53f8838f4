import type { Context } from 'hono'
import { unauthorized, validation } from '../api-error.ts'
import type { App } from '../context.ts'
import { workspaceName } from '../modules/workspaces/service.ts'
import { defaultPage, largestPage, type Page } from '../page.ts'
import { hashSecret, isSecret } from '../secrets.ts'
import type { Answer } from './idempotency.ts'

/** Throws unless the request carries the token of administration. */
export function adminCheck(app: App): (c: Context) => void {
  const { adminToken } = app.config
  const hash = adminToken === undefined ? undefined : hashSecret(adminToken)
  return (c) => {
    const token = /^Bearer +(\S+) *$/i.exec(c.req.raw.headers.get('authorization') ?? '')?.[1]
    if (hash === undefined || token === undefined || !isSecret(token, hash)) throw unauthorized('Unauthenticated.')
  }
}

/** The workspace of the path, which must exist. */
export async function workspaceOf(app: App, c: Context): Promise<number> {
  const workspaceId = Number(c.req.param('workspace'))
  await workspaceName(app, workspaceId)
  return workspaceId
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
