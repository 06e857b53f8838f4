import { type Key, toKey } from './runtime.ts'
import { refuse } from './webhook-error.ts'

const prefix = 'whsec_'

/**
 * The key of the Standard Webhooks signature: a `whsec_` secret is base64, any other its own bytes. `X-Service-Signature`
 * is always keyed with the bytes of the secret as it was shown.
 */
export function toStandardKey(secret: string): Key {
  if (!secret.startsWith(prefix)) return toKey(secret, 'utf8')
  const encoded = secret.slice(prefix.length)
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2,3}={0,2})?$/.test(encoded) || !encoded) {
    refuse('bad_secret', 500, 'A secret that begins with whsec_ continues in base64.')
  }
  return toKey(encoded, 'base64')
}
