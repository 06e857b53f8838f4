import { bytesOf, type Key, makeKey } from './runtime.ts'
import { refuse } from './webhook-error.ts'

/** A prefix without a secret behind it is as empty as an empty text, and as easy to guess. */
const isSecret = (value: unknown) => typeof value === 'string' && value.trim() === value && !/^(whsec_)?$/.test(value)

/** Whitespace around a secret is refused: it is the newline of a file or of an environment variable, never meant. */
export function requireSecrets(value: unknown): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!secrets[0] || secrets.length > 10 || !secrets.every(isSecret)) {
    refuse('bad_secret', { hint: 'empty, with whitespace around it, or over 10', status: 500 })
  }
  return secrets as readonly string[] // each has just been looked at
}

// Receivers have few secrets and many deliveries, and to make a key takes as long as to use it.
const plainKeys = new Map<string, Key>()
const standardKeys = new Map<string, Key>()

/**
 * The key of a signature. `X-Service-Signature` is keyed with the bytes of the secret as it was shown; for the Standard
 * Webhooks signature what follows `whsec_` is base64.
 */
export function keyOf(secret: string, isStandard: boolean): Key {
  const keys = isStandard ? standardKeys : plainKeys
  const known = keys.get(secret)
  if (known) return known
  const encoded = isStandard && /^whsec_((?:[\w+/-]{4})*[\w+/-]{2,4})={0,2}$/.exec(secret)?.[1]
  const key = makeKey(encoded ? bytesOf(encoded, 'base64') : bytesOf(secret))
  if (keys.size > 99) keys.clear()
  keys.set(secret, key)
  return key
}
