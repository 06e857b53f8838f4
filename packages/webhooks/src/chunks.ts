import { requireSize } from './size.ts'

const encoder = new TextEncoder()

/** Collects a body and refuses it as soon as it is too large, before more of it is read. */
export function collectChunks(maxBodyBytes: number) {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  return {
    /** A stream with an encoding set gives text; its bytes are the same again unless they were no UTF-8. */
    add(chunk: Uint8Array | string): void {
      const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
      sizeBytes += bytes.length
      requireSize(sizeBytes, maxBodyBytes)
      chunks.push(bytes)
    },
    /** Joined as bytes: a character may be split between two chunks. */
    join(): Uint8Array {
      const whole = new Uint8Array(sizeBytes)
      let offset = 0
      for (const chunk of chunks) {
        whole.set(chunk, offset)
        offset += chunk.length
      }
      return whole
    },
  }
}
