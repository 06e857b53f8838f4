import { refuse } from './webhook-error.ts'

const isSecret = (value: unknown) => typeof value === 'string' && value !== '' && value.trim() === value

/** Whitespace around a secret is refused: it is the newline of a file or of an environment variable, never meant. */
export function requireSecrets(value: unknown): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (secrets.length < 1 || secrets.length > 10 || !secrets.every(isSecret)) {
    refuse('bad_secret', 500, 'Pass 1 to 10 secrets that are not empty and have no whitespace around them.')
  }
  return secrets as readonly string[] // each has just been looked at
}
