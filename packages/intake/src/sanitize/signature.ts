import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** Hashes both sides first, so that timing reveals neither content nor length. */
export const isSameSecret = (given: Buffer, secret: string) =>
  timingSafeEqual(digestOf(given), digestOf(Buffer.from(secret, 'utf8')))

/** HTTP libraries return header bytes as Latin-1 or decoded. Both are tried for secrets with non-ASCII characters. */
export const matchesToken = (token: string | null, secret: string): boolean => {
  if (token === null || token === '' || secret === '') return false
  const asBytes = isSameSecret(Buffer.from(token, 'latin1'), secret)
  const asText = isSameSecret(Buffer.from(token, 'utf8'), secret)
  return asBytes || asText
}

type HubSignature = { readonly header: string | null; readonly secret: string; readonly body: Uint8Array }

/**
 * Accepts `sha256=` and 64 lower-case hex digits, as GitHub and Bitbucket send. Refuses anything else before decoding:
 * `Buffer.from(…, 'hex')` accepts upper case and drops invalid digits. With an empty key, anyone could sign.
 */
export const hasHubSignature = ({ header, secret, body }: HubSignature): boolean => {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header ?? '')?.[1]
  if (hex === undefined || secret === '') return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}
