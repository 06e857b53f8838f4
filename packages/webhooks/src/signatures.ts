import { refuse } from './webhook-error.ts'

// 64 hex digits, or 43 characters of base64 or base64url. Base64 of 32 bytes leaves two bits of the last character
// unused; only characters with both at zero are listed, so a digest has one spelling in each alphabet. Node and fetch
// join repeated headers with a comma.
const signature = /^(?:sha256=|v0=|v1[=,])?([\dA-Fa-f]{64}|(?:[A-Za-z\d+/]{42}|[\w-]{42})[AEIMQUYcgkosw048]=?),?$/

/**
 * Reads the signatures of a header: hex in any case, base64 or base64url, each with or without its scheme, separated by
 * spaces. Skips unknown schemes. Reads at most sixteen parts.
 */
export function readSignatures(header: string): string[] {
  const found = header.split(' ', 16).flatMap((part) => signature.exec(part)?.[1] ?? [])
  return found[0] ? found : refuse('malformed_signature', { hint: 'not hex or base64' })
}
