import { refuse } from './webhook-error.ts'

/** Returns a limit that can be compared and timed. `NaN` and `Infinity` would disable the check; a timer has 31 bits. */
export function requireLimit(name: string, limit: number, below = 2 ** 31): number {
  if (limit > 0 && limit < below) return limit
  throw new TypeError(`${name} must be above 0 and below ${below}`)
}

/** Refuses a body that is too large. The limit defaults to 1 MiB. */
export function requireSize(sizeBytes: number, maxBodyBytes = 1_048_576): void {
  if (sizeBytes > requireLimit('maxBodyBytes', maxBodyBytes))
    refuse('body_too_large', { hint: `over ${maxBodyBytes} bytes`, status: 413 })
}

/**
 * A signature never expires, so only the age check prevents the replay of a recorded delivery. An age that is not a number
 * is refused, too.
 */
export function requireAge(ageSeconds: number, toleranceSeconds = 300): void {
  if (!(Math.abs(ageSeconds) <= requireLimit('toleranceSeconds', toleranceSeconds)))
    refuse(ageSeconds > 0 ? 'timestamp_old' : 'timestamp_new', { hint: 'or a wrong clock' })
}
