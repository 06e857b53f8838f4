import { refuseConsumed, refuseIncomplete, refuseSlow } from './body-refusals.ts'
import { collectChunks } from './chunks.ts'
import type { BodyLimits } from './receiver.ts'

/** Reads the body of a fetch `Request` within limits. */
export async function readRequest({ body, bodyUsed }: Request, { maxBodyBytes, bodyTimeoutMs }: BodyLimits) {
  if (bodyUsed || body?.locked) return refuseConsumed()
  const reader = body?.getReader()
  const chunks = collectChunks(maxBodyBytes)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    // Cancelling ends the read that waits below.
    reader?.cancel().catch(() => undefined)
  }, bodyTimeoutMs)
  try {
    for (let part = await next(reader); part; part = await next(reader)) chunks.add(part)
  } catch (error) {
    void reader?.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
  return isLate ? refuseSlow() : chunks.join()
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<Uint8Array | undefined> {
  const part = await reader?.read().catch(refuseIncomplete)
  return part?.value
}
