import { createHash, timingSafeEqual } from 'node:crypto'
import type { Ids } from './ids.ts'

/** A secret for an inbound webhook: `whs_` and 256 random bits. Shown once; only its SHA-256 is stored. */
export function newSecret(ids: Ids): string {
  return `whs_${Buffer.from(ids.bytes(32)).toString('base64url')}`
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Whether a secret is the one behind a stored hash. Takes the same time wherever they differ. */
export function isSecret(given: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(storedHash))
}
