/**
 * Crypto for runtimes with only WebCrypto: Cloudflare Workers, edge functions, browsers. The exports are those of
 * `runtime.node.ts`; the package's `imports` field selects one.
 */

/** `ready` avoids awaiting a resolved promise, which would cost a measurable microtask turn per delivery. */
export interface Key {
  ready?: CryptoKey
  readonly pending: Promise<CryptoKey>
}

type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

// Plain loops, because array methods take as long here as the signature itself.
function fill(bytes: Bytes, valueAt: (index: number) => number): Bytes {
  for (let index = 0; index < bytes.length; index++) bytes[index] = valueAt(index)
  return bytes
}

function fromBase64(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return fill(new Uint8Array(binary.length), (index) => binary.charCodeAt(index))
}

function fromHex(text: string): Bytes {
  // The low four bits of a digit are its value. Those of a letter are 1 to 6 in either case, and its code is above 64.
  const digit = (index: number) => (text.charCodeAt(index) & 15) + 9 * (text.charCodeAt(index) >> 6)
  return fill(new Uint8Array(text.length / 2), (index) => 16 * digit(2 * index) + digit(2 * index + 1))
}

export const textToBytes = (text: string, encoding?: 'base64'): Bytes =>
  encoding ? fromBase64(text) : encoder.encode(text)

export function join(parts: readonly Uint8Array[]): Bytes {
  let sizeBytes = 0
  for (const { length } of parts) sizeBytes += length
  const whole = new Uint8Array(sizeBytes)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const algorithm = { name: 'HMAC', hash: 'SHA-256' }

export function makeKey(secret: Uint8Array): Key {
  const pending = crypto.subtle.importKey('raw', secret as Bytes, algorithm, false, ['sign', 'verify']) // from textToBytes
  const key: Key = { pending: pending.then((imported) => (key.ready = imported)) }
  return key
}

export async function mac(key: Key, signed: Uint8Array, encoding: 'hex' | 'base64'): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await key.pending, signed as Bytes))
  return encoding === 'hex' ? toHex(bytes) : btoa(String.fromCharCode(...bytes))
}

/** Whether one of the digests, in hex or base64, is the MAC. Compares all; `subtle.verify` takes constant time. */
export async function matches(key: Key, signed: Uint8Array, digests: readonly string[]): Promise<boolean> {
  const imported = key.ready ?? (await key.pending)
  let found = false
  for (const digest of digests) {
    const bytes = (digest.length > 44 ? fromHex : fromBase64)(digest)
    found = (await crypto.subtle.verify('HMAC', imported, bytes, signed as Bytes)) || found // no shared memory
  }
  return found
}

/** Rejects synchronous use: WebCrypto is always asynchronous. */
export function immediate<Value>(_value: Value | Promise<Value>): Value {
  throw new TypeError('No synchronous crypto: use verify or sign')
}

export const sha256 = async (text: string): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', textToBytes(text))))
