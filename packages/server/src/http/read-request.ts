import { finished } from 'node:stream'
import type { Route } from '@service/contract'
import { type PathParamName, paramNamesIn, pathParams } from '@service/contract/path-params'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { App } from '../context.ts'
import { checkQuery } from '../core/check-input.ts'
import { type BodyLimits, decompress } from '../core/content-encoding.ts'
import { ApiError, notFound, unavailable, unknownName, validation } from '../core/errors.ts'
import { currentCapture } from '../core/request-capture.ts'
import { findPortRequest, type PortRequest } from '../runtime/admission.ts'

export const maxBodyBytes = 1024 * 1024

/** A right that was checked longer ago may have ended. */
const freshMs = 1000

interface AuthorizedBody<Right> {
  /** The right that was checked before the body is read. */
  readonly right: Right
  readonly authorize: () => Promise<Right>
  readonly limits?: BodyLimits | undefined
}

/** Reads the body of an authorized request. The right is checked again if it may have ended while the body arrived. */
export async function readAuthorizedBody<Right>(
  { clock }: Pick<App, 'clock'>,
  { req, env }: Context,
  { right, authorize, limits }: AuthorizedBody<Right>,
): Promise<{ readonly bytes: Uint8Array; readonly right: Right }> {
  const startedAtMs = clock.elapsedMs()
  const bytes = await readBytes(req.raw, env, limits)
  return { bytes, right: clock.elapsedMs() - startedAtMs < freshMs ? right : await authorize() }
}

/** Reads a body and undoes its `Content-Encoding`. A body over a limit gets 413, if possible before it is read. */
export async function readBytes(
  request: Request,
  env: unknown,
  { sentBytes = maxBodyBytes, decompressedBytes = sentBytes }: BodyLimits = {},
): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > sentBytes) throw tooLarge(sentBytes)
  const port = findPortRequest(request, env)
  const isUnread = port !== undefined && !port.incoming.readableDidRead
  const sent = isUnread
    ? await port.whileReading(() => readIncoming(port, sentBytes))
    : await readInProcess(request, sentBytes).catch(endedEarly)
  const contentEncoding = request.headers.get('content-encoding')
  const bytes = contentEncoding === null ? sent : await decompress(sent, { contentEncoding, limit: decompressedBytes })
  if (bytes !== sent && port?.hold(bytes.length) === false) throw budgetExceeded()
  const capture = currentCapture()
  if (capture !== undefined) capture.body = bytes
  return bytes
}

/** Every received byte counts against the budget of all bodies, whatever length was declared. */
function readIncoming({ incoming, hold, onEvict }: PortRequest, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    // The rest is still read and discarded, so that the sender can read the response.
    const refuse = (fault: ApiError) => {
      chunks.length = 0
      incoming.off('data', read).resume()
      reject(fault)
    }
    onEvict(() => refuse(budgetExceeded()))
    const read = (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length > limit) refuse(tooLarge(limit))
      else if (!hold(chunk.length)) refuse(budgetExceeded())
    }
    // Also called if the sender disconnected while the request waited.
    finished(incoming, (fault) => (fault ? reject(bodyEndedEarly()) : resolve(Buffer.concat(chunks))))
    incoming.on('data', read)
  })
}

/** A body without a declared length may be endless, so the limit is enforced while reading. */
async function readInProcess(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null || request.headers.has('content-length')) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > limit) throw tooLarge(limit)
    return bytes
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The caller disconnected, which is not a server fault. */
function endedEarly(fault: unknown): never {
  throw fault instanceof ApiError ? fault : bodyEndedEarly()
}

const bodyEndedEarly = () => validation({ body: ['The request body ended before it was complete.'] })

const tooLarge = (limit: number) =>
  new ApiError('payload_too_large', `The request body must not be larger than ${limit} bytes.`)

const budgetExceeded = () => unavailable('The server holds too many request bodies. Send this one again soon.')

/**
 * All headers by lower-case name; repeated ones are joined as in `Headers`. Over a port they come from Node's request:
 * creating `Headers` would add a twentieth to a short delivery.
 */
export function readHeaders(request: Request, env: unknown): Readonly<Record<string, string>> {
  const raw = findPortRequest(request, env)?.incoming.rawHeaders
  if (raw === undefined) return Object.fromEntries(request.headers)
  const values = new Map<string, string>()
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at]?.toLowerCase(), raw[at + 1]]
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(values)
}

export function requireJson(request: Request): void {
  const type = request.headers.get('content-type')
  if (type !== null && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return
  throw new ApiError(
    'unsupported_media_type',
    'Send the request body as JSON with the header Content-Type: application/json.',
  )
}

type Params = Readonly<Record<string, unknown>>

/** Reads the path parameters of a route except the workspace, which is checked with the caller. */
export function paramsReader({ path }: Pick<Route, 'path'>): (c: Context) => Params {
  const names = paramNamesIn(path).filter((name) => name !== 'workspace')
  if (names.length === 0) return () => ({})
  return (c) => Object.fromEntries(names.map((name) => [name, readParam(name, c.req.param(name) ?? '')]))
}

/** Undefined if the segment cannot be the parameter. More than 15 digits fit no column. */
function readParam(name: PathParamName, text: string): unknown {
  const { schema } = pathParams[name]
  const isNumber = schema._zod.def.type === 'number'
  if (isNumber && !/^\d{1,15}$/.test(text)) throw notFound('route')
  const parsed = z.safeParse(schema, isNumber ? Number(text) : text)
  if (parsed.success) return parsed.data
  throw schema instanceof z.ZodMiniEnum ? unknownName(name, text, schema.options.map(String)) : notFound('route')
}

/** The query string parsed by the route's schema; undefined if the route has no query parameters. */
export const readQuery = ({ query }: Pick<Route, 'query'>, c: Context): unknown =>
  query === undefined ? undefined : checkQuery(query, c.req.query())
