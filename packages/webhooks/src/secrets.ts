import { type Key, toKey } from './runtime.ts'
import { refuse } from './webhook-error.ts'

/** A prefix without a secret behind it is as empty as an empty text, and as easy to guess. */
const isSecret = (value: unknown) => typeof value === 'string' && value.trim() === value && !/^(?:whsec_)?$/.test(value)

/** Whitespace around a secret is refused: it is the newline of a file or of an environment variable, never meant. */
export function requireSecrets(value: unknown): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (secrets.length < 1 || secrets.length > 10 || !secrets.every(isSecret)) {
    refuse('bad_secret', 500, 'It is empty, has whitespace around it, or there are more than 10.')
  }
  return secrets as readonly string[] // each has just been looked at
}

/**
 * The key of a signature. `X-Service-Signature` is keyed with the bytes of the secret as it was shown; for the Standard
 * Webhooks signature what follows `whsec_` is base64.
 */
export function keyOf(secret: string, isStandard: boolean): Key {
  const encoded = isStandard && /^whsec_((?:[\w+/-]{4})*[\w+/-]{2,4})={0,2}$/.exec(secret)?.[1]
  return encoded ? toKey(encoded, 'base64') : toKey(secret, 'utf8')
}
