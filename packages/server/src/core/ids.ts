import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/** Where random identifiers and secrets come from. Tests put a seeded source in its place. */
export interface Ids {
  uuid(): string
  bytes(length: number): Uint8Array
  /**
   * Bytes that depend on their purpose and on nothing that was drawn before, for what happens in no certain order. A source
   * that cannot be repeated may leave it out.
   */
  bytesFor?(purpose: string, length: number): Uint8Array
}

export function systemIds(): Ids {
  return { uuid: () => randomUUID(), bytes: (length) => randomBytes(length) }
}

/** A secret for an inbound webhook: `whs_` and 256 random bits. Shown once; only its SHA-256 is stored. */
export function newSecret(ids: Ids): string {
  return `whs_${Buffer.from(ids.bytes(32)).toString('base64url')}`
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Whether a secret is the one behind a stored hash. Takes the same time wherever they differ. */
export function isSecret(given: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(storedHash))
}
