import { IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'

// A request declares its body's length before it sends it. That length is reserved here before anything is read, so that
// many half-sent bodies cannot fill the memory: what cannot be reserved is refused while it still costs nothing.

const mebibyte = 1024 * 1024

/** Bodies up to this size are not counted: a connection itself costs about as much. */
export const uncountedBytes = 16 * 1024

/** No route reads a longer body: what is declared beyond it is refused with 413 and never held. */
const longestBody = 25 * mebibyte

/** One body of the largest kind must always fit into the share of its address. */
const smallestShare = 32 * mebibyte

export interface BodyLimits {
  readonly maxBodyBytesInFlight: number | undefined
  readonly maxBodyBytesPerAddress: number | undefined
}

/** Bytes that are set aside for one body. */
export interface Reservation {
  /** Reserves up to this many bytes altogether; false when there is no room. */
  growTo(bytes: number): boolean
  release(): void
}

export interface BodyBudget {
  /** Undefined when the budget, or the share of this address, has no room. */
  reserve(address: string, bytes: number): Reservation | undefined
  /** Reserved in all, and the most that may be. */
  readonly use: () => { readonly bytes: number; readonly total: number }
}

export function createBodyBudget(limits: BodyLimits): BodyBudget {
  const { total, share } = budgetOf(limits)
  const held = new Map<string, number>()
  let heldInAll = 0
  const take = (address: string, bytes: number): boolean => {
    const heldHere = held.get(address) ?? 0
    if (heldInAll + bytes > total || heldHere + bytes > share) return false
    heldInAll += bytes
    if (heldHere + bytes === 0) held.delete(address)
    else held.set(address, heldHere + bytes)
    return true
  }
  return {
    use: () => ({ bytes: heldInAll, total }),
    reserve(address, bytes) {
      let reserved = Math.min(bytes, longestBody)
      if (!take(address, reserved)) return undefined
      return {
        growTo(wanted) {
          if (wanted <= reserved) return true
          if (!take(address, wanted - reserved)) return false
          reserved = wanted
          return true
        },
        release() {
          take(address, -reserved)
          reserved = 0
        },
      }
    },
  }
}

/** A quarter of the memory, at most 256 MiB; of that a quarter per address. A body costs three to four times its size. */
function budgetOf({ maxBodyBytesInFlight, maxBodyBytesPerAddress }: BodyLimits) {
  const total = maxBodyBytesInFlight ?? Math.min(256 * mebibyte, Math.floor(memoryBytes() / 4))
  return { total, share: maxBodyBytesPerAddress ?? Math.max(smallestShare, Math.floor(total / 4)) }
}

/** What the process may use: a container's limit where there is one. Without a limit Node gives zero or an absurd number. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

const reservations = new WeakMap<object, Reservation>()

export const holdReservation = (incoming: IncomingMessage, reservation: Reservation) =>
  void reservations.set(incoming, reservation)

/** Node's own request where one came over a port; `env` is what the adapter hands on beside the request. */
export const incomingOf = (env: unknown): IncomingMessage | undefined =>
  typeof env === 'object' && env !== null && 'incoming' in env && env.incoming instanceof IncomingMessage
    ? env.incoming
    : undefined

export function reservationOf(env: unknown): Reservation | undefined {
  const incoming = incomingOf(env)
  return incoming && reservations.get(incoming)
}
