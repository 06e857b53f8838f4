import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceMs = 5 * 60 * 1000
const maxSignatures = 16

export type StandardSignature = {
  readonly id: string | null
  readonly timestamp: string | null
  readonly signatures: string | null
  readonly secret: string
  readonly body: Uint8Array
  readonly nowMs: number
}

/** `whsec_` marks a key in base64; any other secret is its own bytes. */
const keyOf = (secret: string): Buffer | null => {
  if (!secret.startsWith('whsec_')) return secret === '' ? null : Buffer.from(secret, 'utf8')
  const encoded = secret.slice('whsec_'.length)
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : null
}

const isRecent = (timestamp: string, nowMs: number) =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp) * 1000) <= toleranceMs

/**
 * The text forms are compared, not the decoded bytes: base64 of 32 bytes leaves two bits unused, so several spellings
 * would decode to the same signature and a flipped bit could pass.
 */
const isSame = (given: string, expected: Buffer) =>
  /^v1,[A-Za-z0-9+/]{43}=$/.test(given) && timingSafeEqual(Buffer.from(given.slice(3), 'latin1'), expected)

/** Several `v1` values are allowed, as during a change of keys; one must match. Other versions are skipped. */
export const hasStandardSignature = (signature: StandardSignature): boolean => {
  const { id, timestamp, signatures, secret, body, nowMs } = signature
  const key = keyOf(secret)
  if (!id || !timestamp || !signatures || key === null || !isRecent(timestamp, nowMs)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const given = signatures.split(' ')
  // A header that was sent twice arrives joined with a comma and is refused here.
  if (given.length > maxSignatures || !given.every((value) => /^v\d[0-9a-z]*,[A-Za-z0-9+/]+={0,2}$/.test(value)))
    return false
  return given.filter((value) => isSame(value, Buffer.from(expected, 'latin1'))).length > 0
}
