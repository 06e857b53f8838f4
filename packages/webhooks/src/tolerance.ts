import { refuse } from './webhook-error.ts'

/** Without an upper limit the check would be off, and nobody would notice. */
export function requireTolerance(toleranceSeconds = 300): number {
  if (toleranceSeconds > 0 && toleranceSeconds < Infinity) return toleranceSeconds
  throw new TypeError('toleranceSeconds must be above 0 and finite')
}

/** A signature stays right for ever; the age is what keeps a recorded delivery from being played again. */
export function requireAge(ageSeconds: number, toleranceSeconds: number | undefined): void {
  if (Math.abs(ageSeconds) > requireTolerance(toleranceSeconds)) {
    refuse(ageSeconds > 0 ? 'timestamp_old' : 'timestamp_new', { hint: 'or a wrong clock' })
  }
}
