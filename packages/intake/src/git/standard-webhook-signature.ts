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

/** A secret that starts with `whsec_` is base64. Any other secret is used as UTF-8 bytes. */
const toKey = (secret: string): Buffer | null => {
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
const isSame = (provided: string, expected: Buffer) =>
  /^v1,[A-Za-z0-9+/]{43}=$/.test(provided) && timingSafeEqual(Buffer.from(provided.slice(3), 'latin1'), expected)

/** Several `v1` values are allowed, for example during a key rotation; one must match. Other versions are skipped. */
export const hasStandardSignature = (signature: StandardSignature): boolean => {
  const { id, timestamp, signatures, secret, body, nowMs } = signature
  const key = toKey(secret)
  if (!id || !timestamp || !signatures || key === null || !isRecent(timestamp, nowMs)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const provided = signatures.split(' ')
  // Refuses a repeated header, whose values HTTP joins with a comma.
  if (provided.length > maxSignatures || !provided.every((value) => /^v\d[0-9a-z]*,[A-Za-z0-9+/]+={0,2}$/.test(value)))
    return false
  return provided.filter((value) => isSame(value, Buffer.from(expected, 'latin1'))).length > 0
}
