/**
 * What differs between runtimes, for Node, Bun and Deno; `runtime.web.ts` has the same exports for the others.
 *
 * HMAC is written out as RFC 2104 has it, H(K^opad, H(K^ipad, text)), because two one-shot hashes cost half of what an
 * `Hmac` object does. The comparison stays with `timingSafeEqual`.
 */
import { hash, timingSafeEqual } from 'node:crypto'

/** The two padded keys. Behind the outer one is room for the inner digest, so that nothing is copied. */
export interface Key {
  readonly inner: Buffer
  readonly outer: Buffer
}

/** What is signed: a text before the body, and the body. */
export interface Signed {
  readonly prefix: string
  readonly body: Uint8Array
}

const blockBytes = 64
const digestBytes = 32
// `binary` is a text with one character per byte: the one-shot hash returns it faster than a buffer.
const binary = 'binary'
const sha = 'sha256'

// Memory that is used again for every delivery. All here is synchronous, so nobody else can write into it meanwhile.
const room = Buffer.allocUnsafeSlow(16_384)
const expected = Buffer.allocUnsafeSlow(digestBytes)
const given = Buffer.allocUnsafeSlow(digestBytes)

const keys = { utf8: new Map<string, Key>(), base64: new Map<string, Key>() }

/** Makes the key of a secret, once: receivers have few secrets and many deliveries. */
export function toKey(secret: string, encoding: 'utf8' | 'base64'): Key {
  const known = keys[encoding].get(secret)
  if (known) return known
  const bytes = Buffer.from(secret, encoding)
  const pad = (mask: number, extraBytes: number) => {
    const block = Buffer.alloc(blockBytes + extraBytes)
    block.set(bytes.length > blockBytes ? hash(sha, bytes, 'buffer') : bytes)
    return block.map((byte) => byte ^ mask) as Buffer // `map` of a buffer makes a buffer
  }
  const key = { inner: pad(0x36, 0), outer: pad(0x5c, digestBytes) }
  if (keys[encoding].size > 99) keys[encoding].clear()
  keys[encoding].set(secret, key)
  return key
}

/** The MAC, as text. */
export function mac({ inner, outer }: Key, { prefix, body }: Signed, encoding: 'hex' | 'base64' | 'binary'): string {
  // A character of the prefix has at most three bytes.
  const mostBytes = blockBytes + prefix.length * 3 + body.length
  const text = mostBytes > room.length ? Buffer.allocUnsafe(mostBytes) : room
  text.set(inner)
  const start = prefix ? blockBytes + text.write(prefix, blockBytes) : blockBytes
  text.set(body, start)
  outer.write(hash(sha, text.subarray(0, start + body.length), binary), blockBytes, binary)
  return hash(sha, outer, encoding)
}

/** Whether one of the digests, in hex or base64, is the MAC. All are compared: the time tells nothing. */
export function matches(key: Key, signed: Signed, digests: readonly string[]): boolean {
  expected.write(mac(key, signed, binary), binary)
  let found = false
  for (const digest of digests) {
    given.write(digest, digest.length > 44 ? 'hex' : 'base64')
    found = timingSafeEqual(expected, given) || found
  }
  return found
}

/** Half of what `TextEncoder` takes here. */
export const encodeUtf8 = (text: string): Uint8Array => Buffer.from(text)

/** For what must not wait. Here nothing does. */
export const immediate = <Value>(value: Value | Promise<Value>): Value => value as Value // no promises in this runtime

export const sha256 = (text: string): string => hash(sha, text)
