import type { RawBody } from '../options.ts'
import { type BodyLimits, type NextChunk, readChunks, refuseConsumed } from '../read-body.ts'

/** The properties of Node's readable stream that the receiver uses. */
export interface BodyStream {
  readonly readable?: boolean
  readonly readableDidRead?: boolean
  iterator(options: { destroyOnReturn: boolean }): { next: NextChunk }
}

/**
 * Returns the raw body that a parser kept (`rawBody`, or a raw `body`), or else reads the stream. A parser
 * that skipped this request may have left an empty object in `body`, so an unread stream counts as unparsed.
 */
export function readBody(stream: BodyStream, parsed: readonly unknown[], limits: BodyLimits) {
  const raw = parsed.find(isRaw)
  if (raw !== undefined) return raw
  if (!stream.readable || stream.readableDidRead) return refuseConsumed()
  // If reading stops early, the stream must stay open: the response uses the same connection.
  const chunks = stream.iterator({ destroyOnReturn: false })
  return readChunks(() => chunks.next(), limits)
}

const isRaw = (body: unknown): body is RawBody => typeof body === 'string' || ArrayBuffer.isView(body)
