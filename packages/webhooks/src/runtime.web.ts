/**
 * What differs between runtimes, for those with WebCrypto only: Cloudflare Workers, edge functions, browsers. The exports
 * are those of `runtime.node.ts`; the package's `imports` field chooses between the two.
 */

export type Key = Promise<CryptoKey>

/** What is signed: a text before the body, and the body. */
export interface Signed {
  readonly prefix: string
  readonly body: Uint8Array
}

const encoder = new TextEncoder()

export const encodeUtf8 = (text: string) => encoder.encode(text)

// Plain loops: what reads nicer takes as long here as the signature itself.
function fill(length: number, at: (index: number) => number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index++) bytes[index] = at(index)
  return bytes
}

function fromBase64(text: string) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return fill(binary.length, (index) => binary.charCodeAt(index))
}

const fromHex = (text: string) =>
  fill(text.length / 2, (index) => Number.parseInt(text.slice(2 * index, 2 * index + 2), 16))

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const keys = new Map<string, Key>()

/** Makes the key of a secret, once: importing takes as long as verifying. */
export function toKey(secret: string, encoding: 'utf8' | 'base64'): Key {
  const name = encoding + secret
  const known = keys.get(name)
  if (known !== undefined) return known
  const bytes = encoding === 'utf8' ? encodeUtf8(secret) : fromBase64(secret)
  const key = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
  if (keys.size > 99) keys.clear()
  keys.set(name, key)
  return key
}

function join({ prefix, body }: Signed) {
  if (!prefix) return body as Uint8Array<ArrayBuffer> // shared memory is refused by WebCrypto itself
  const head = encodeUtf8(prefix)
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

/** The MAC, as text. */
export async function mac(key: Key, signed: Signed, encoding: 'hex' | 'base64'): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await key, join(signed)))
  return encoding === 'hex' ? toHex(bytes) : btoa(String.fromCharCode(...bytes))
}

/** Whether one of the digests, in hex or base64, is the MAC. `subtle.verify` takes constant time; all are compared. */
export async function matches(key: Key, signed: Signed, digests: readonly string[]): Promise<boolean> {
  const imported = await key
  const text = join(signed)
  const found = await Promise.all(
    digests.map((digest) =>
      crypto.subtle.verify('HMAC', imported, digest.length > 44 ? fromHex(digest) : fromBase64(digest), text),
    ),
  )
  return found.includes(true)
}

/** For what must not wait. Here everything does. */
export function immediate<Value>(_value: Value | Promise<Value>): Value {
  throw new TypeError('No synchronous crypto here: use the function without Sync.')
}

export const sha256 = async (text: string): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', encodeUtf8(text))))
