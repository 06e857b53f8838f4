import { requireLimit, requireSize } from './limits.ts'
import type { RawBody } from './options.ts'
import { toBytes } from './raw-bytes.ts'
import { join } from './runtime.ts'
import { refuse } from './webhook-error.ts'
import { within } from './within.ts'

/** Limits on the size of a body and the time to read it. */
export interface BodyLimits {
  /** Defaults to 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** Defaults to 10 seconds. */
  readonly bodyTimeoutMs?: number | undefined
}

/** Shared by the reader of a fetch body and the iterator of a Node stream. */
export type NextChunk = () => Promise<{ readonly done?: boolean | undefined; readonly value?: RawBody | undefined }>

/** The most common mistake. Refuses at once, because waiting for a consumed body would hang. */
export const refuseConsumed = () =>
  refuse('body_consumed', { hint: 'by a parser; put this handler first, or keep the raw body', status: 500 })

/** Reads a body to its end. Refuses it as soon as it exceeds the limit. */
export async function readChunks(next: NextChunk, limits: BodyLimits): Promise<Uint8Array> {
  const { maxBodyBytes, bodyTimeoutMs = 10_000 } = limits
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  const readAll = async () => {
    for (;;) {
      const { value } = await next().catch(refuseIncomplete)
      if (value === undefined) return join(chunks)
      // Bytes, because a character may be split between two chunks. Streams that a hook creates may have text.
      const bytes = toBytes(value)
      sizeBytes += bytes.length
      requireSize(sizeBytes, maxBodyBytes)
      chunks.push(bytes)
    }
  }
  return within(requireLimit('bodyTimeoutMs', bodyTimeoutMs), readAll(), () => {
    sizeBytes = Infinity // refuses the next chunk
    return refuse('body_timeout', { hint: 'it did not arrive in time', status: 408 })
  })
}

const refuseIncomplete = () => refuse('body_incomplete', { hint: 'the connection ended', status: 400 })
