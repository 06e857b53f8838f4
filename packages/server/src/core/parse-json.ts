import { validation } from './errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** UTF-8 has no half of a surrogate pair, but JSON can escape one; no database keeps it, so it becomes U+FFFD at once. */
const halfPair = /\\u[dD][89a-fA-F]/
const wellFormed = (_key: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

/** The body as JSON; anything that is not JSON in UTF-8 is 422. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes)
    return halfPair.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)
  } catch {
    throw validation({ body: ['The request body must be valid JSON in UTF-8.'] })
  }
}
