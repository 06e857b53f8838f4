import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** Both sides are hashed first, so that neither content nor length shows in the time the comparison takes. */
const isSameSecret = (given: Buffer, secret: string) =>
  timingSafeEqual(digestOf(given), digestOf(Buffer.from(secret, 'utf8')))

/** HTTP libraries hand header bytes over as Latin-1; a secret with an umlaut arrives so, or already decoded. Both are tried. */
export const matchesToken = (token: string | null, secret: string): boolean => {
  if (token === null || token === '' || secret === '') return false
  const asBytes = isSameSecret(Buffer.from(token, 'latin1'), secret)
  const asText = isSameSecret(Buffer.from(token, 'utf8'), secret)
  return asBytes || asText
}

type HubSignature = { readonly header: string | null; readonly secret: string; readonly body: Uint8Array }

/**
 * `sha256=` and 64 lower-case hex digits, the form GitHub and Bitbucket send. Anything else is refused before decoding:
 * `Buffer.from(…, 'hex')` would quietly take upper case and drop what it cannot read. An empty key would let anybody sign.
 */
export const hasHubSignature = ({ header, secret, body }: HubSignature): boolean => {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header ?? '')?.[1]
  if (hex === undefined || secret === '') return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}
