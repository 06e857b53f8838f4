/**
 * Crypto for Node, Bun, and Deno. `runtime.web.ts` has the same exports for other runtimes.
 *
 * Implements HMAC as in RFC 2104, H(K^opad, H(K^ipad, text)), because two one-shot hashes cost half of what an
 * `Hmac` object does. `timingSafeEqual` compares.
 */
import { hash, timingSafeEqual } from 'node:crypto'

/** The two padded keys. The outer one has room for the inner digest, so that nothing is copied. */
export interface Key {
  readonly inner: Buffer
  readonly outer: Buffer
}

const blockBytes = 64
const digestBytes = 32
// `binary` has one character per byte. The one-shot hash returns it faster than a buffer.
const binary = 'binary'
const sha = 'sha256'

export const bytesOf = (text: string, encoding: 'utf8' | 'base64' | 'hex' | 'binary' = 'utf8'): Buffer =>
  Buffer.from(text, encoding)

export const join = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts)

export function makeKey(secret: Uint8Array): Key {
  const bytes = secret.length > blockBytes ? hash(sha, secret, 'buffer') : secret
  const pad = (mask: number, sizeBytes: number) => {
    const padded = Buffer.alloc(sizeBytes, mask)
    bytes.forEach((byte, index) => {
      padded[index] = byte ^ mask
    })
    return padded
  }
  return { inner: pad(0x36, blockBytes), outer: pad(0x5c, blockBytes + digestBytes) }
}

// Reused for every delivery. All code here is synchronous, so no other call can write to it in between.
const scratch = Buffer.allocUnsafeSlow(16_384)
const expected = Buffer.allocUnsafeSlow(digestBytes)
const received = Buffer.allocUnsafeSlow(digestBytes)

export function mac({ inner, outer }: Key, signed: Uint8Array, encoding: 'hex' | 'base64' | 'binary'): string {
  const sizeBytes = blockBytes + signed.length
  const text = sizeBytes > scratch.length ? Buffer.allocUnsafe(sizeBytes) : scratch
  text.set(inner)
  text.set(signed, blockBytes)
  outer.write(hash(sha, text.subarray(0, sizeBytes), binary), blockBytes, binary)
  return hash(sha, outer, encoding)
}

/** Whether one of the digests, in hex or base64, is the MAC. Compares all of them, so that timing reveals nothing. */
export function matches(key: Key, signed: Uint8Array, digests: readonly string[]): boolean {
  expected.write(mac(key, signed, binary), binary)
  let found = false
  for (const digest of digests) {
    received.write(digest, digest.length > 44 ? 'hex' : 'base64')
    found = timingSafeEqual(expected, received) || found
  }
  return found
}

/** Unwraps a value that must be synchronous, which every value is in this runtime. */
export const immediate = <Value>(value: Value | Promise<Value>): Value => value as Value // no promises in this runtime

export const sha256 = (text: string): string => hash(sha, text)
