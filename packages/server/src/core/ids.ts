import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/** The source of random identifiers and secrets. Tests use a seeded source. */
export interface Ids {
  uuid(): string
  bytes(length: number): Uint8Array
  /**
   * Bytes that depend only on their purpose, not on earlier draws, for work whose order is not deterministic. A source
   * of real random numbers may omit it.
   */
  bytesFor?(purpose: string, length: number): Uint8Array
}

export function systemIds(): Ids {
  return { uuid: () => randomUUID(), bytes: (length) => randomBytes(length) }
}

/** 256 random bits. */
export const randomText = (ids: Ids): string => Buffer.from(ids.bytes(32)).toString('base64url')

/** A secret for an inbound webhook. It is shown once; only its SHA-256 is stored. */
export const newSecret = (ids: Ids): string => `whs_${randomText(ids)}`

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Compares a secret with a stored hash in constant time. */
export function matchesSecretHash(given: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(storedHash))
}
