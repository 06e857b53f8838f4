import { refuse } from './webhook-error.ts'

/** Refuses a body that is too large. The limit defaults to 1 MiB. */
export function requireSize(sizeBytes: number, maxBodyBytes = 1_048_576): void {
  if (sizeBytes > maxBodyBytes) refuse('body_too_large', { hint: `over ${maxBodyBytes} bytes`, status: 413 })
}
