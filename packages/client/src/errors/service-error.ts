import type { Method } from '@service/contract/route'
import type { Delivered, ErrorCode, ErrorDetails } from './details.ts'

// A registered symbol, so that errors of the ESM build, the CJS build and a second bundled copy know each other.
const brand = Symbol.for('ServiceError')

/**
 * The root of the family: every failure of every call is one. `instanceof` also holds for an error that another
 * copy of this package made.
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

  /** Usually the client makes them; make one yourself to test how your code takes it. */
  constructor(message: string, details: ErrorDetails) {
    super(message)
    Object.assign(this, details)
  }

  /** All fields and the message as plain data, for logs; without stack and cause. */
  toJSON(): object {
    return { ...this, message: this.message }
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // The first half knows the errors of other copies by their name, the second a class that a user derives.
    return (isBranded(value) && (this === ServiceError || this.name === value.name)) || super[Symbol.hasInstance](value)
  }
}

interface Branded {
  [brand]?: true
}
Object.assign(ServiceError.prototype, { [brand]: true }) // on the prototype, so that no log shows it

// Any value but null and undefined may be asked for a symbol.
const isBranded = (value: unknown): value is ServiceError => (value as Branded | null | undefined)?.[brand] === true
