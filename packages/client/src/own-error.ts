import type { AnyServiceError } from './errors/family.ts'
import { isServiceError } from './errors/service-error.ts'

// Everything inside rejects with errors of this package; should another slip through, it is a bug and flies.
export function ownError(error: unknown): AnyServiceError {
  if (isServiceError(error)) return error
  throw error
}
