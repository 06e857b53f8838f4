import type { RawBody } from '../options.ts'
import { type BodyLimits, type NextChunk, readChunks, refuseConsumed } from '../read-body.ts'

/** What is needed of Node's readable stream. */
export interface BodyStream {
  readonly readable?: boolean
  readonly readableDidRead?: boolean
  iterator(options: { destroyOnReturn: boolean }): { next: NextChunk }
}

/**
 * The raw body of a request: kept by a parser that was asked to (`rawBody`, or a `body` that is still raw), or else read
 * here. A parser that skipped this request may have left an empty object in `body`, so the stream has the last word.
 */
export function readBody(stream: BodyStream, recorded: readonly unknown[], limits: BodyLimits) {
  const raw = recorded.find(isRaw)
  if (raw !== undefined) return raw
  if (!stream.readable || stream.readableDidRead) return refuseConsumed()
  // The stream stays open when reading stops early: it is the connection that the refusal goes back on.
  const chunks = stream.iterator({ destroyOnReturn: false })
  return readChunks(() => chunks.next(), limits)
}

const isRaw = (body: unknown): body is RawBody => typeof body === 'string' || ArrayBuffer.isView(body)
