import { validation } from './api-error.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The body as JSON; anything that is not JSON in UTF-8 is 422. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw validation({ body: ['The request body must be valid JSON in UTF-8.'] })
  }
}
