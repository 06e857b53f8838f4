/**
 * What differs between runtimes, for Node, Bun and Deno; `runtime.web.ts` has the same exports for the others.
 *
 * Two one-shot hashes over reused memory cost half of what an `Hmac` object does (RFC 2104: H(K^opad, H(K^ipad, text))).
 * Everything here is synchronous, so nobody else can write into that memory between two lines. The comparison stays with
 * `timingSafeEqual`.
 */
import crypto from 'node:crypto'

export const isSync = true

export interface Key {
  readonly whole: crypto.KeyObject
  readonly inner: Uint8Array
  readonly outer: Uint8Array
}

const blockBytes = 64
const digestBytes = 32
const inner = Buffer.allocUnsafeSlow(blockBytes + 16_384)
const outer = Buffer.allocUnsafeSlow(blockBytes + digestBytes)
const expected = Buffer.allocUnsafeSlow(digestBytes)
const given = Buffer.allocUnsafeSlow(digestBytes)
const noOneShot = typeof crypto.hash !== 'function'

const mostKeys = 100
const keys = { utf8: new Map<string, Key>(), base64: new Map<string, Key>() }

/** Makes the key of a secret, once: receivers have few secrets and many deliveries. */
export function toKey(secret: string, encoding: 'utf8' | 'base64'): Key {
  const kept = keys[encoding].get(secret)
  if (kept) return kept
  const bytes = Buffer.from(secret, encoding)
  const block = Buffer.alloc(blockBytes)
  block.set(bytes.length > blockBytes ? crypto.createHash('sha256').update(bytes).digest() : bytes)
  const key = {
    whole: crypto.createSecretKey(bytes),
    inner: block.map((byte) => byte ^ 0x36),
    outer: block.map((byte) => byte ^ 0x5c),
  }
  if (keys[encoding].size >= mostKeys) keys[encoding].clear()
  keys[encoding].set(secret, key)
  return key
}

/** Leaves the MAC of prefix and body in `expected`. */
function computeMac(key: Key, prefix: string, body: Uint8Array): void {
  // A character of the prefix has at most three bytes.
  if (noOneShot || blockBytes + prefix.length * 3 + body.length > inner.length) {
    expected.set(crypto.createHmac('sha256', key.whole).update(prefix).update(body).digest())
    return
  }
  inner.set(key.inner)
  const start = blockBytes + (prefix ? inner.write(prefix, blockBytes) : 0)
  inner.set(body, start)
  outer.set(key.outer)
  outer.write(crypto.hash('sha256', inner.subarray(0, start + body.length), 'binary'), blockBytes, 'binary')
  expected.write(crypto.hash('sha256', outer, 'binary'), 'binary')
}

/** Whether one of the digests, in hex or base64, is the MAC. All are compared: the time tells nothing. */
export function matches(key: Key, prefix: string, body: Uint8Array, digests: readonly string[]): boolean {
  computeMac(key, prefix, body)
  let found = false
  for (const digest of digests) {
    given.write(digest, digest.length === 2 * digestBytes ? 'hex' : 'base64')
    found = crypto.timingSafeEqual(expected, given) || found
  }
  return found
}

export function mac(key: Key, prefix: string, body: Uint8Array, encoding: 'hex' | 'base64'): string {
  computeMac(key, prefix, body)
  return expected.toString(encoding)
}

export const sha256 = (text: string): string => crypto.createHash('sha256').update(text).digest('hex')
