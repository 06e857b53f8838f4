import type { Method } from '@service/contract/route'
import type { Delivered, ErrorCode, ErrorDetails } from './details.ts'

// A registered symbol, so that the ESM build, the CJS build and other bundled copies recognize each other's errors.
const brand = Symbol.for('ServiceError')

/**
 * The base class of all errors: every failure of a call is one. `instanceof` also works for an error that another
 * copy of this package created.
 */
export class ServiceError extends Error implements ErrorDetails {
  declare readonly code: ErrorCode
  declare readonly method: Method
  declare readonly route: string
  declare readonly attempts: number
  declare readonly durationMs: number
  declare readonly delivered: Delivered
  declare readonly retryable: boolean
  declare readonly status?: number
  declare readonly requestId?: string
  declare readonly retryAfterMs?: number
  declare readonly idempotencyKey?: string
  declare readonly serverCode?: string

  /** Usually the client creates errors. Create one yourself to test your error handling. */
  constructor(message: string, details: ErrorDetails) {
    super(message)
    Object.assign(this, details)
  }

  /** All fields and the message as plain data, for logs; without stack and cause. */
  toJSON(): object {
    return { ...this, message: this.message }
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // The first half recognizes errors of other copies by name, the second supports derived classes.
    return (isBranded(value) && (this === ServiceError || this.name === value.name)) || super[Symbol.hasInstance](value)
  }
}

interface Branded {
  [brand]?: true
}
Object.assign(ServiceError.prototype, { [brand]: true }) // on the prototype, so that logs do not show it

// Any value except null and undefined has properties.
const isBranded = (value: unknown): value is ServiceError => (value as Branded | null | undefined)?.[brand] === true
