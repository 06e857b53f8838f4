import { type BodyLimits, readChunks, refuseConsumed } from './read-body.ts'

/**
 * Reads the body of a fetch `Request`. The body must be unread. Does not cancel a body that is refused: adapters such as
 * SvelteKit's would close the connection before the response, and h3 1 would end the process.
 */
export async function readRequest({ body, bodyUsed }: Request, limits: BodyLimits): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  if (bodyUsed || body.locked) return refuseConsumed()
  const reader = body.getReader()
  return readChunks(() => reader.read(), limits)
}
