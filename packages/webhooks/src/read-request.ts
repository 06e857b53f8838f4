import { type BodyLimits, readChunks, refuseConsumed } from './read-body.ts'

/** Reads the body of a fetch `Request`. The body must be unread. */
export async function readRequest({ body, bodyUsed }: Request, limits: BodyLimits): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  if (bodyUsed || body.locked) return refuseConsumed()
  const reader = body.getReader()
  return readChunks(() => reader.read(), limits).finally(() => {
    // If the body has not ended, this tells the sender to stop. Awaiting it could hang.
    reader.cancel().catch(() => undefined)
  })
}
