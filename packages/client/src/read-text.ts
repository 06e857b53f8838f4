import type { AttemptState } from './attempt.ts'
import { createError } from './create-error.ts'
import { ResponseError } from './errors/family.ts'
import { describeThrown } from './network-error.ts'

/**
 * Reads a body as UTF-8 up to the limit. The rest of a longer body is never held in memory. A symbol that is thrown
 * describes a fault that a retry would repeat.
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.bodyUsed || response.body?.locked) throw Symbol('was already read by the fetch option or a hook')
  const reader = response.body?.getReader()
  // A fake response may have text but no body.
  if (!reader) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  let sizeBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    sizeBytes += value.byteLength
    if (sizeBytes > maxBytes) {
      reader.cancel().catch(() => undefined)
      throw Symbol(`is longer than maxResponseBytes, ${maxBytes} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

// Node's codes for gzip, deflate, Brotli and zstd, then words of Bun and Deno.
const corrupt = /\bZ_|ERR__ERROR_FORMAT|ZSTD|zlib|decompress|decod/i

/** The error for a success that could not be read. Only a GET may be sent again, because a POST has already acted. */
export function unreadableBodyError(attempt: AttemptState, { headers }: Response, thrown: unknown): ResponseError {
  const [coding = 'unknown'] = /^[a-z]{1,9}$/.exec(headers.get('content-encoding') ?? '') ?? []
  const isCorrupt = corrupt.test(describeThrown(thrown))
  const fault = isCorrupt ? `is corrupt: its content-encoding (${coding}) could not be undone` : 'was cut off'
  const isLasting = typeof thrown === 'symbol'
  const message = `answered ${attempt.status}, but the body ${isLasting ? thrown.description : fault}.`
  return createError(ResponseError, { attempt, message, retryable: attempt.call.repeatable && !isLasting, fields: {} })
}
