import { join } from './runtime.ts'
import { requireSize } from './size.ts'
import { refuse } from './webhook-error.ts'

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  /** 1 MiB by default. */
  readonly maxBodyBytes?: number | undefined
  /** 10 seconds by default. */
  readonly bodyTimeoutMs?: number | undefined
}

/** The reader of a fetch body has this, and so has the iterator of a Node stream. */
export type NextChunk = () => Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>

/** The commonest mistake of all, so it is told at once; waiting for what was read before would hang for ever. */
export const refuseConsumed = () =>
  refuse('body_consumed', { hint: 'by a parser; put this handler first, or keep the raw body', status: 500 })

/** Reads a body to its end. What is too large is refused as soon as that is known, before more of it is read. */
export async function readChunks(next: NextChunk, limits: BodyLimits): Promise<Uint8Array> {
  const { maxBodyBytes, bodyTimeoutMs = 10_000 } = limits
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), bodyTimeoutMs)
  })
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for (;;) {
      const part = await Promise.race([next().catch(refuseIncomplete), late])
      if (!part) return refuse('body_timeout', { hint: 'it did not arrive in time', status: 408 })
      // As bytes: a character may be split between two chunks.
      if (!part.value) return join(chunks)
      sizeBytes += part.value.length
      requireSize(sizeBytes, maxBodyBytes)
      chunks.push(part.value)
    }
  } finally {
    clearTimeout(timer)
  }
}

const refuseIncomplete = () => refuse('body_incomplete', { hint: 'the connection ended', status: 400 })
