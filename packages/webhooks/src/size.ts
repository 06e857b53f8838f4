import { refuse } from './webhook-error.ts'

/** Refuses a body as soon as it is known to be too large. 1 MiB by default. */
export function requireSize(sizeBytes: number, maxBodyBytes = 1_048_576): void {
  if (sizeBytes > maxBodyBytes) refuse('body_too_large', { hint: `over ${maxBodyBytes} bytes`, status: 413 })
}
