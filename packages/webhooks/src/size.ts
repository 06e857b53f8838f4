import { refuse } from './webhook-error.ts'

export const defaultMaxBodyBytes = 1_048_576

export function requireSize(sizeBytes: number, maxBodyBytes = defaultMaxBodyBytes): void {
  if (sizeBytes > maxBodyBytes) refuse('body_too_large', 413, `More than ${maxBodyBytes} bytes.`)
}
