/** Crypto for Node, Bun, and Deno. `runtime.web.ts` has the same exports for other runtimes. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** The bytes of the secret. */
export type Key = Uint8Array

export const textToBytes = (text: string, encoding: 'utf8' | 'base64' = 'utf8'): Buffer => Buffer.from(text, encoding)

export const join = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts)

export const makeKey = (secret: Uint8Array): Key => secret

const hmac = (key: Key, signed: Uint8Array) => createHmac('sha256', key).update(signed)

export const mac = (key: Key, signed: Uint8Array, encoding: 'hex' | 'base64'): string =>
  hmac(key, signed).digest(encoding)

/** Whether one of the digests, in hex or base64, is the MAC. Compares all of them, so that timing reveals nothing. */
export function matches(key: Key, signed: Uint8Array, digests: readonly string[]): boolean {
  const expected = hmac(key, signed).digest()
  let found = false
  for (const digest of digests) {
    const received = Buffer.from(digest, digest.length > 44 ? 'hex' : 'base64')
    found = timingSafeEqual(expected, received) || found
  }
  return found
}

/** Unwraps a value that must be synchronous, which every value is in this runtime. */
export const immediate = <Value>(value: Value | Promise<Value>): Value => value as Value // no promises in this runtime

export const sha256 = (text: string): string => hash('sha256', text)
