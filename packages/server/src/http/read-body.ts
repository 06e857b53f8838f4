import { ApiError, validation } from '../api-error.ts'
import { currentTrace } from '../trace.ts'

export const maxBodyBytes = 1024 * 1024

/** The body's bytes, at most `limit` of them; a longer one is refused before it is read. */
export async function readBytes(request: Request, limit = maxBodyBytes): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  // Without a length (chunked) the limit must hold while reading; with one, HTTP itself holds it. The body is asked for
  // as a stream only then: over a port, making one costs more than reading the bytes.
  const isChunked = request.headers.has('transfer-encoding')
  const bytes = await (isChunked ? readChunks(request.body, limit) : readWhole(request)).catch(endedEarly)
  if (bytes.length > limit) throw tooLarge(limit)
  const trace = currentTrace()
  if (trace !== undefined) trace.body = bytes
  return bytes
}

async function readWhole(request: Request): Promise<Uint8Array> {
  return new Uint8Array(await request.arrayBuffer())
}

/** A caller who hangs up in the middle is no fault of ours, and nobody is there any more to read the answer. */
function endedEarly(fault: unknown): never {
  if (fault instanceof ApiError) throw fault
  throw validation({ body: ['The request body ended before it was complete.'] })
}

async function readChunks(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `The request body must not be larger than ${limit} bytes.`)
}

export function requireJson(request: Request): void {
  const type = request.headers.get('content-type')
  if (type !== null && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return
  throw new ApiError(
    'unsupported_media_type',
    'Send the request body as JSON with the header Content-Type: application/json.',
  )
}
