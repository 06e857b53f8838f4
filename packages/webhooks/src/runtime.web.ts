/**
 * What differs between runtimes, for those with WebCrypto only: Cloudflare Workers, edge functions, browsers. The exports
 * are those of `runtime.node.ts`; the package's `imports` field chooses between the two.
 */

export const isSync = false

export type Key = Promise<CryptoKey>

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

const mostKeys = 100
const keys = { utf8: new Map<string, Key>(), base64: new Map<string, Key>() }

const fromBinary = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

const fromBase64 = (text: string) => fromBinary(atob(text.replaceAll('-', '+').replaceAll('_', '/')))

const fromHex = (text: string) =>
  fromBinary(text.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))))

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Makes the key of a secret, once: importing takes as long as verifying. */
export function toKey(secret: string, encoding: 'utf8' | 'base64'): Key {
  const kept = keys[encoding].get(secret)
  if (kept) return kept
  const bytes = encoding === 'utf8' ? encoder.encode(secret) : fromBase64(secret)
  const key = crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
  if (keys[encoding].size >= mostKeys) keys[encoding].clear()
  keys[encoding].set(secret, key)
  return key
}

function join(prefix: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(prefix)
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

/** Whether one of the digests, in hex or base64, is the MAC. `subtle.verify` compares in constant time; all are compared. */
export async function matches(
  key: Key,
  prefix: string,
  body: Uint8Array,
  digests: readonly string[],
): Promise<boolean> {
  const [imported, message] = [await key, join(prefix, body)]
  const found = await Promise.all(
    digests.map((digest) =>
      crypto.subtle.verify('HMAC', imported, digest.length === 64 ? fromHex(digest) : fromBase64(digest), message),
    ),
  )
  return found.includes(true)
}

export async function mac(key: Key, prefix: string, body: Uint8Array, encoding: 'hex' | 'base64'): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await key, join(prefix, body)))
  return encoding === 'hex' ? toHex(bytes) : btoa(String.fromCharCode(...bytes))
}

export const sha256 = async (text: string): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
