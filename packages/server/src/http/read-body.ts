import type { Route } from '@service/contract'
import { type PathParamName, paramNamesIn, pathParams } from '@service/contract/path-params'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { checkQuery } from '../core/check-input.ts'
import { ApiError, notFound, unavailable, validation } from '../core/errors.ts'
import { currentCapture } from '../core/request-capture.ts'
import { incomingOf, reservationOf } from '../runtime/port/body-budget.ts'

export const maxBodyBytes = 1024 * 1024

/** What the adapter hands on beside a request that came over a port. */
type PortEnv = unknown

/** The body's bytes, at most `limit` of them; a longer one is refused before it is read. */
export async function readBytes(request: Request, env: PortEnv, limit = maxBodyBytes): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  // Without a length (chunked) the limit must hold while reading; with one, HTTP itself holds it. The body is asked for
  // as a stream only then: over a port, making one costs more than reading the bytes.
  const isChunked = request.headers.has('transfer-encoding')
  const bytes = await (isChunked ? readChunks(request.body, env, limit) : readWhole(request, env)).catch(endedEarly)
  if (bytes.length > limit) throw tooLarge(limit)
  const capture = currentCapture()
  if (capture !== undefined) capture.body = bytes
  return bytes
}

/** From here on a copy costs more than going round the adapter, which makes two of them at one go. */
const costlyBytes = 64 * 1024

async function readWhole(request: Request, env: PortEnv): Promise<Uint8Array> {
  const length = Number(request.headers.get('content-length') ?? 0)
  const incoming = length > costlyBytes ? incomingOf(env) : undefined
  if (incoming === undefined || incoming.readableDidRead) return new Uint8Array(await request.arrayBuffer())
  // Filled as the chunks arrive; a buffer of its own can be handed to another thread without copying it.
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) filled += chunk.copy(bytes, filled) // no encoding is set
  return bytes.subarray(0, filled)
}

/** A caller who hangs up in the middle is no fault of ours, and nobody is there any more to read the answer. */
function endedEarly(fault: unknown): never {
  if (fault instanceof ApiError) throw fault
  throw validation({ body: ['The request body ended before it was complete.'] })
}

/** In steps, so that not every chunk asks for room. */
const roomStep = 256 * 1024

async function readChunks(body: ReadableStream<Uint8Array> | null, env: PortEnv, limit: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const reservation = reservationOf(env)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    if (reservation?.growTo(Math.ceil(length / roomStep) * roomStep) === false) throw noRoom()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `The request body must not be larger than ${limit} bytes.`)
}

const noRoom = () => unavailable('The server holds too many request bodies at the moment. Try again soon.')

/**
 * All headers of a request by their names in lower case, repeated ones in a row as `Headers` has them. Over a port they are
 * taken as they came: the adapter would make `Headers` of them first, a twentieth of a short delivery.
 */
export function readHeaders(request: Request, env: PortEnv): Readonly<Record<string, string>> {
  const raw = incomingOf(env)?.rawHeaders
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
  query === undefined ? undefined : checkQuery(query, c.req.query())
