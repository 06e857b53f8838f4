import { requireKnown } from '../../core/known-keys.ts'
import { operationOf } from '../observed-request.ts'
import type { Har } from './har.ts'
import { differencesOf, shapeOf } from './shape.ts'

/** Where the recorded requests are sent. */
export interface CompareOptions {
  /** The workspace in place of the recorded one. */
  readonly workspace: number
  /** An API token of that workspace, in place of the recorded authorization. */
  readonly token: string
  /** More headers, for example `x-service-webhook-secret` of inbound webhooks. */
  readonly headers?: Readonly<Record<string, string>> | undefined
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
  /** Requests that cannot be compared, with the reason. */
  readonly skipped: readonly { readonly request: string; readonly reason: string }[]
  readonly differences: readonly HarDifference[]
}

interface Recorded {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
  readonly answer: { readonly status: number; readonly headers: Headers; readonly body: string | undefined }
}

type Send = (url: string, init: RequestInit) => Promise<Response>

/** Sends the recorded requests in their order, and compares statuses, headers, and the shapes of bodies. */
export async function compareHar(har: Har, options: CompareOptions, send: Send): Promise<HarComparison> {
  requireKnown(options, ['workspace', 'token', 'headers'], 'compareWith')
  const skipped: { request: string; reason: string }[] = []
  const differences: HarDifference[] = []
  let compared = 0
  for (const recorded of entriesOf(har)) {
    const path = toPath(recorded.url, options.workspace)
    const request = `${recorded.method} ${path ?? recorded.url.pathname}`
    const reason = reasonToSkip(recorded, path)
    if (path === undefined || reason !== undefined) {
      skipped.push({ request, reason: reason ?? elsewhere })
      continue
    }
    const response = await send(path + recorded.url.search, toInit(recorded, options))
    const here = { status: response.status, headers: response.headers, body: await response.text() }
    differences.push(...compare(recorded.answer, here).map((found) => ({ request, ...found })))
    compared += 1
  }
  return { compared, skipped, differences }
}

function entriesOf(har: Har): Recorded[] {
  const entries: unknown = har?.log?.entries
  if (!Array.isArray(entries))
    throw new TypeError('`compareWith` takes a parsed HAR: an object with `log.entries`, such as JSON.parse(text).')
  return entries.map(toRecorded)
}

interface HarPairs {
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
}
interface HarEntry {
  readonly request: HarPairs & { readonly method: string; readonly url: string; readonly postData?: { text?: string } }
  readonly response: HarPairs & {
    readonly status: number
    readonly content?: { readonly text?: string; readonly encoding?: string }
  }
}

function toRecorded({ request, response }: HarEntry): Recorded {
  const { text, encoding } = response.content ?? {}
  const body = text !== undefined && encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text
  return {
    method: request.method,
    url: new URL(request.url),
    headers: headersOf(request),
    body: request.postData?.text,
    answer: { status: response.status, headers: headersOf(response), body },
  }
}

/** Without the names of HTTP/2, which begin with a colon. Browsers join several cookies with a line break. */
const headersOf = ({ headers = [] }: HarPairs): Headers =>
  new Headers(
    headers
      .filter(({ name }) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))
      .map(({ name, value }) => [name, value.replaceAll(/[^\t\x20-\x7E\xA0-\xFF]+/g, ' ')]),
  )

/** The path on this server; undefined if it is none of the documented routes. */
function toPath({ pathname }: URL, workspace: number): string | undefined {
  const prefix = /\/api\/(?:v1\/workspaces|webhooks)\//.exec(pathname)
  if (prefix === null) return undefined
  const rest = pathname.slice(prefix.index + prefix[0].length)
  return prefix[0] + rest.replace(/^[^/]+/, String(workspace))
}

const elsewhere = 'it is no request to the REST API or an inbound webhook'

/** A browser also records preflights, pages, and images. */
function reasonToSkip({ method, answer }: Recorded, path: string | undefined): string | undefined {
  if (path === undefined || operationOf(method, path) === undefined) return elsewhere
  if (answer.status === 0) return 'it has no answer'
  if (answer.status === 429 || answer.status >= 500) return `its answer was ${answer.status}`
  return undefined
}

/** Headers that belong to the connection, the recorded client, or its credentials. */
const ownHeaders =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|accept-encoding|cookie|authorization|origin|referer|user-agent|sec-|x-service-webhook-secret)/

function toInit({ method, headers, body }: Recorded, { token, headers: added = {} }: CompareOptions): RequestInit {
  const kept = [...headers].filter(([name]) => !ownHeaders.test(name))
  const init = { method, headers: { ...Object.fromEntries(kept), authorization: `Bearer ${token}`, ...added } }
  return body === undefined || method === 'GET' || method === 'HEAD' ? init : { ...init, body }
}

type Answer = Recorded['answer']
type Difference = Omit<HarDifference, 'request'>

function compare(recorded: Answer, here: Answer): Difference[] {
  if (recorded.status !== here.status)
    return [{ part: 'status', path: '', recorded: String(recorded.status), here: String(here.status) }]
  return [...compareHeaders(recorded.headers, here.headers), ...compareBodies(recorded.body, here.body)]
}

/** Other headers come from proxies. */
const compared = /^(?:content-type|location|link|etag|retry-after|ratelimit|x-ratelimit|x-request-id|idempotency)/

const mediaTypeOf = (headers: Headers) => headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()

function compareHeaders(recorded: Headers, here: Headers): Difference[] {
  const names = new Set([...recorded.keys(), ...here.keys()].filter((name) => compared.test(name)))
  const missing = [...names]
    .filter((name) => recorded.has(name) !== here.has(name))
    .map((path) => ({ path, recorded: presenceOf(recorded, path), here: presenceOf(here, path) }))
  const [theirs = 'missing', ours = 'missing'] = [mediaTypeOf(recorded), mediaTypeOf(here)]
  const types = theirs === ours ? [] : [{ path: 'content-type', recorded: theirs, here: ours }]
  return [...missing.filter(({ path }) => path !== 'content-type'), ...types].map((found) => ({
    part: 'header',
    ...found,
  }))
}

const presenceOf = (headers: Headers, name: string) => (headers.has(name) ? 'present' : 'missing')

/** Some recorders leave bodies out. */
function compareBodies(recorded: string | undefined, here: string | undefined): Difference[] {
  const [theirs, ours] = [recorded, here].map(parse)
  if (theirs === undefined || ours === undefined) return []
  return differencesOf(shapeOf(theirs), shapeOf(ours)).map((found) => ({ part: 'body', ...found }))
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
