import { requireKnown } from '../../core/known-keys.ts'
import { findOperation } from '../observed-request.ts'
import { senders } from '../webhooks/inbound-request.ts'
import type { Har } from './har.ts'
import { type Answer, type Recorded, readRecorded, toAnswer } from './recorded.ts'
import { findDifferences, type Shape } from './shape.ts'

type ReplayHeaders = Readonly<Record<string, string>>

/** Where the recorded requests are sent. */
export interface CompareOptions {
  /** The workspace in place of the recorded one. */
  readonly workspace: number
  /** An API token of that workspace, in place of a recorded authorization. */
  readonly token: string
  /** More headers, such as `x-service-webhook-secret`, for all requests or for each. */
  readonly headers?:
    | ReplayHeaders
    | ((request: { readonly method: string; readonly path: string }) => ReplayHeaders | undefined)
    | undefined
}

/** A part of an answer that differs. Contains shapes and statuses, never recorded values. */
export interface HarDifference {
  /** The method and path: `POST /api/v1/workspaces/1/tickets`. */
  readonly request: string
  readonly part: 'status' | 'header' | 'body'
  /** The name of a header, or a path in the body such as `$.data[].tags`. */
  readonly path: string
  readonly recorded: string
  readonly here: string
}

/** What a recording and this server answer differently. */
export interface HarComparison {
  readonly compared: number
  /** Requests, or bodies, that were not compared, with the reason. */
  readonly skipped: readonly { readonly request: string; readonly reason: string }[]
  readonly differences: readonly HarDifference[]
}

type Send = (url: string, init: RequestInit) => Promise<Response>

/** Sends the recorded requests in their order, and compares statuses, headers, and the shapes of bodies. */
export async function compareHar(har: Har, options: CompareOptions, send: Send): Promise<HarComparison> {
  checkOptions(options)
  const skipped: { request: string; reason: string }[] = []
  const differences: HarDifference[] = []
  let compared = 0
  for (const recorded of readRecorded(har)) {
    const { method, url, answer } = recorded
    const path = toPath(url, options.workspace)
    if (path === undefined || !isDocumented(method, path)) {
      skipped.push({ request: `${method} ${originOf(url)}`, reason: elsewhere })
      continue
    }
    const request = `${method} ${path}`
    const reason = reasonToSkip(answer)
    if (reason !== undefined) {
      skipped.push({ request, reason })
      continue
    }
    const response = await send(path + url.search, toInit(recorded, path, options))
    const here = toAnswer(response.status, response.headers, await response.text())
    differences.push(...compare(answer, here).map((found) => ({ request, ...found })))
    const gap = findGap(answer, here)
    if (gap !== undefined) skipped.push({ request, reason: gap })
    compared += 1
  }
  if (compared === 0) throw nothingCompared(skipped.map(({ reason }) => reason))
  return { compared, skipped, differences }
}

function checkOptions(options: CompareOptions): void {
  requireKnown(options, ['workspace', 'token', 'headers'], 'compareWith')
  const { workspace, token }: Partial<CompareOptions> = options ?? {}
  if (!Number.isSafeInteger(workspace) || Number(workspace) < 1)
    throw new TypeError('`compareWith` needs `workspace`, the id of a workspace of this server.')
  if (typeof token !== 'string' || token === '')
    throw new TypeError('`compareWith` needs `token`, an API token of the workspace.')
}

function nothingCompared(reasons: readonly string[]): TypeError {
  const why = reasons.length === 0 ? 'The archive is empty' : `Reasons: ${[...new Set(reasons)].join('; ')}`
  return new TypeError(`\`compareWith\` compared none of the ${reasons.length} recorded requests. ${why}.`)
}

/** The path on this server; undefined outside the REST API and the inbound webhooks. */
function toPath({ pathname }: URL, workspace: number): string | undefined {
  const prefix = /\/api\/(?:v1\/workspaces|webhooks)\//.exec(pathname)
  if (prefix === null) return undefined
  const rest = pathname.slice(prefix.index + prefix[0].length)
  return prefix[0] + rest.replace(/^[^/]+/, String(workspace))
}

/** Other services also have paths like `/api/webhooks/7/secret`, so the sender must be known. */
function isDocumented(method: string, path: string): boolean {
  if (findOperation(method, path) === undefined) return false
  const [, sender] = /^\/api\/webhooks\/\d+\/(.+)$/.exec(path) ?? []
  return sender === undefined || senders.includes(sender)
}

const elsewhere = 'it is not a request to the REST API or an inbound webhook'

/** Addresses of other services contain secrets in any place. */
const originOf = ({ protocol, origin }: URL) => (/^https?:$/.test(protocol) ? origin : protocol)

function reasonToSkip({ status }: Answer): string | undefined {
  if (status === 0) return 'it has no answer'
  if (status === 429 || status >= 500) return `its answer was ${status}`
  return undefined
}

/** The reason why the body of a compared request was not compared. */
function findGap(recorded: Answer, here: Answer): string | undefined {
  if (recorded.status !== here.status || recorded.shape !== undefined || here.shape === undefined) return undefined
  return recorded.body === '' ? 'its recorded body is missing' : 'its recorded body is cut off or not JSON'
}

/** Headers that belong to the connection, the recorded client, or its credentials. */
const ownHeaders =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|accept-encoding|cookie|authorization|origin|referer|user-agent|sec-|x-service-webhook-secret)/

function toInit(recorded: Recorded, path: string, options: CompareOptions): RequestInit {
  const { method, headers, body, answer } = recorded
  const kept = [...headers].filter(([name]) => !ownHeaders.test(name))
  // The recorded platform refused the recorded token.
  const hasToken = headers.has('authorization') && answer.status !== 401
  const authorization = hasToken ? { authorization: `Bearer ${options.token}` } : {}
  const added = typeof options.headers === 'function' ? options.headers({ method, path }) : options.headers
  const init = { method, headers: { ...Object.fromEntries(kept), ...authorization, ...added } }
  return body === undefined || method === 'GET' || method === 'HEAD' ? init : { ...init, body }
}

type Difference = Omit<HarDifference, 'request'>

function compare(recorded: Answer, here: Answer): Difference[] {
  if (recorded.status !== here.status)
    return [{ part: 'status', path: '', recorded: String(recorded.status), here: String(here.status) }]
  return [...compareHeaders(recorded.headers, here.headers), ...compareBodies(recorded.shape, here.shape)]
}

/** Other headers come from proxies. */
const compared = /^(?:content-type|location|link|etag|retry-after|ratelimit|x-ratelimit|x-request-id|idempotency)/

const mediaTypeOf = (headers: Headers) => headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()

function compareHeaders(recorded: Headers, here: Headers): Difference[] {
  const names = new Set([...recorded.keys(), ...here.keys()].filter((name) => compared.test(name)))
  const missing = [...names]
    .filter((name) => recorded.has(name) !== here.has(name))
    .map((path) => ({ path, recorded: describePresence(recorded, path), here: describePresence(here, path) }))
  const [theirs = 'missing', ours = 'missing'] = [mediaTypeOf(recorded), mediaTypeOf(here)]
  const types = theirs === ours ? [] : [{ path: 'content-type', recorded: theirs, here: ours }]
  return [...missing.filter(({ path }) => path !== 'content-type'), ...types].map((found) => ({
    part: 'header',
    ...found,
  }))
}

const describePresence = (headers: Headers, name: string) => (headers.has(name) ? 'present' : 'missing')

function compareBodies(recorded: Shape | undefined, here: Shape | undefined): Difference[] {
  if (recorded === undefined || here === undefined) return []
  return findDifferences(recorded, here).map((found) => ({ part: 'body', ...found }))
}
