import { refuseConsumed, refuseIncomplete, refuseSlow } from '../body-refusals.ts'
import { collectChunks } from '../chunks.ts'
import type { RawBody } from '../options.ts'
import type { BodyLimits } from '../receiver.ts'

/** What is needed of Node's readable stream. */
export interface BodyStream {
  readonly readableDidRead?: boolean
  readonly readableEnded?: boolean
  readonly destroyed?: boolean
  // Listeners take whatever their event brings.
  on(event: string, listener: (chunk: never) => void): unknown
  off(event: string, listener: (chunk: never) => void): unknown
  pause(): unknown
}

const isRaw = (body: unknown): body is RawBody =>
  typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof ArrayBuffer

const isUnread = (stream: BodyStream) => !stream.readableDidRead && !stream.readableEnded && !stream.destroyed

/**
 * The raw body of a request: kept by a parser that was asked to (`rawBody`, or a `body` that is still bytes), or else read
 * here. A parser that skipped this request may have left an empty object in `body`, so the stream has the last word.
 */
export function readBody(stream: BodyStream, kept: readonly unknown[], limits: BodyLimits): RawBody | Promise<RawBody> {
  const raw = kept.find(isRaw)
  if (raw !== undefined) return raw
  return isUnread(stream) ? readStream(stream, limits) : refuseConsumed()
}

function readStream(stream: BodyStream, { maxBodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks = collectChunks(maxBodyBytes)
    const settle = (finish: () => Uint8Array) => () => {
      clearTimeout(timer)
      for (const [event, listener] of Object.entries(listeners)) stream.off(event, listener)
      try {
        resolve(finish())
      } catch (error) {
        stream.pause()
        reject(error)
      }
    }
    const listeners = {
      data: (chunk: Uint8Array | string) => {
        try {
          chunks.add(chunk)
        } catch (error) {
          settle(() => {
            throw error
          })()
        }
      },
      end: settle(chunks.join),
      error: settle(refuseIncomplete),
      close: settle(refuseIncomplete),
    }
    const timer = setTimeout(settle(refuseSlow), bodyTimeoutMs)
    for (const [event, listener] of Object.entries(listeners)) stream.on(event, listener)
  })
}
