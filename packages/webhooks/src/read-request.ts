import { type BodyLimits, readChunks, refuseConsumed } from './read-body.ts'

/** Reads the body of a fetch `Request`, which nobody may have read before. */
export async function readRequest({ body, bodyUsed }: Request, limits: BodyLimits): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  if (bodyUsed || body.locked) return refuseConsumed()
  const reader = body.getReader()
  try {
    return await readChunks(() => reader.read(), limits)
  } finally {
    // After the end this does nothing; before it, it tells the sender to stop. It must not be waited for.
    reader.cancel().catch(() => undefined)
  }
}
