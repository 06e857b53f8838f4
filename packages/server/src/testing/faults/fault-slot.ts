import type { ObservedRequest } from '../observed-request.ts'
import { fits } from '../request-match.ts'
import type { Chance } from './chance.ts'
import { type ActiveFault, type Fault, nameOf } from './fault.ts'

/** A fault at its place in the order. */
export interface FaultSlot {
  readonly active: ActiveFault
  readonly fault: Fault
  readonly chance: Chance
  /** Whether it strikes this request; asking counts. */
  takes(visit: ObservedRequest): boolean
}

export function createFaultSlot(given: Fault, chance: Chance, leave: (place: FaultSlot) => void): FaultSlot {
  const fault = { ...given }
  const { match = {}, after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = fault
  let seen = 0
  let hits = 0
  const remove = () => leave(place)
  const place: FaultSlot = {
    fault,
    chance,
    active: {
      fault,
      name: nameOf(fault),
      get hits() {
        return hits
      },
      remove,
      [Symbol.dispose]: remove,
    },
    takes(visit) {
      if (hits >= times || !fits(match, visit)) return false
      seen += 1
      if (seen <= after || (probability < 1 && chance() >= probability)) return false
      hits += 1
      return true
    },
  }
  return place
}
