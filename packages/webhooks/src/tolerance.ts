import { refuse } from './webhook-error.ts'

/** An infinite tolerance would silently disable the check. */
export function requireTolerance(toleranceSeconds = 300): number {
  if (toleranceSeconds > 0 && toleranceSeconds < Infinity) return toleranceSeconds
  throw new TypeError('toleranceSeconds must be positive and finite')
}

/** A signature never expires, so only the age check prevents the replay of a recorded delivery. */
export function requireAge(ageSeconds: number, toleranceSeconds: number | undefined): void {
  if (Math.abs(ageSeconds) > requireTolerance(toleranceSeconds)) {
    refuse(ageSeconds > 0 ? 'timestamp_old' : 'timestamp_new', { hint: 'or a wrong clock' })
  }
}
