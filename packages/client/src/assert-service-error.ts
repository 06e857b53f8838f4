import { type AnyServiceError, isServiceError } from './errors/family.ts'

// Everything inside rejects with errors of this package; should another slip through, it is a bug and flies.
export function assertServiceError(error: unknown): AnyServiceError {
  if (isServiceError(error)) return error
  throw error
}
