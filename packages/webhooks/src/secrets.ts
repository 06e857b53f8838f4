import { type Key, makeKey, textToBytes } from './runtime.ts'
import { refuse } from './webhook-error.ts'

// Hints never contain the secret. A prefix alone is an empty key.
function findFlaw(secret: unknown): string | undefined {
  if (!secret) return `is ${secret === '' ? 'empty' : secret}: is the environment variable set?`
  if (typeof secret !== 'string') return 'is not a string'
  // Usually the trailing newline of a file, or the quotes of a line in an env file.
  const isQuoted = /^["'`]/.test(secret) && secret.endsWith(secret.charAt(0))
  if (isQuoted || secret.trim() !== secret) return 'has whitespace or quotes around it'
  return secret === 'whsec_' ? 'ends after whsec_' : undefined
}

export function requireSecrets(value: unknown): readonly string[] {
  const secrets: readonly unknown[] = [value].flat()
  const flaw = secrets.map(findFlaw).find(Boolean)
  const hint = flaw ? `the secret ${flaw}` : 'pass 1 to 10 secrets'
  if (flaw || !secrets[0] || secrets[10]) refuse('bad_secret', { hint, status: 500 })
  return secrets as readonly string[] // findFlaw has checked each one
}

// Receivers have few secrets and many deliveries, and creating a key takes as long as using it. Holds up to 100 keys.
const keys = new Map<string, Key>()

/**
 * Returns the HMAC key. `X-Service-Signature` uses the bytes of the displayed secret. Standard Webhooks signatures use
 * the base64 after `whsec_`.
 */
export function toKey(secret: string, isStandard: boolean): Key {
  const name = isStandard + secret
  const known = keys.get(name)
  if (known) return known
  const encoded = isStandard && /^whsec_((?:[\w+/-]{4})*[\w+/-]{2,4})={0,2}$/.exec(secret)?.[1]
  const key = makeKey(encoded ? textToBytes(encoded, 'base64') : textToBytes(secret))
  if (keys.size > 99) keys.clear()
  keys.set(name, key)
  return key
}
