import type { App } from '../../context.ts'
import type { ObservedRequest } from '../observed-request.ts'
import { fits } from '../request-match.ts'
import { applyFault } from './apply-fault.ts'
import { type ActiveFault, checkFault, type Fault, nameOf, refusesAll } from './fault.ts'
import { faultErrorResponse, faultHeader, readFaultHeader } from './fault-response.ts'
import { type Chance, chanceOf } from './latency.ts'
import { createPendingWaits, type PendingWaits } from './pending-waits.ts'

/** Faults of a server, in the order in which they are tried. */
export interface Faults {
  /** Throws a TypeError for a fault that cannot be. */
  add(fault: Fault): ActiveFault
  /** Also those that are used up, with how often they have struck. */
  list(): readonly ActiveFault[]
  /** Removes all, and lets go what they keep waiting: a hanging request ends, a delayed one goes on. */
  clear(): void
}

/** The faults, and the place on the way of a request where they strike. */
export interface FaultLayer {
  readonly faults: Faults
  /** Requests that a fault keeps waiting. */
  readonly pauses: PendingWaits
  /** Ends what waits: a hanging request fails, a delayed one goes on. */
  releaseAll(): void
  around(visit: ObservedRequest, answer: () => Promise<Response>): Promise<Response>
}

/** Which faults callers may ask for themselves. */
export interface FaultOptions {
  /**
   * Lets a caller ask for a fault of its own request, e.g. `x-service-fault: status=503; latency=200`: for tests that
   * reach the platform only through another program. Ignored unless true.
   */
  readonly allowFaultHeaders?: boolean
}

export interface FaultParts extends FaultOptions {
  /** Told when all connections are to be refused, and when that is over. */
  readonly refuse?: ((isRefusing: boolean) => void) | undefined
}

type Parts = Pick<App, 'clock' | 'ids'>

export function createFaultLayer(app: Parts, { allowFaultHeaders = false, refuse }: FaultParts = {}): FaultLayer {
  const { clock, ids } = app
  const pendingWaits = createPendingWaits()
  const bodies = createPendingWaits()
  const letGo = () => {
    pendingWaits.releaseAll()
    bodies.releaseAll()
  }
  let headerChance = chanceOf(ids, 'header')
  let places: readonly FaultSlot[] = []
  let added = 0
  const put = (next: readonly FaultSlot[]) => {
    places = next
    refuse?.(places.some(({ fault }) => refusesAll(fault)))
  }
  const leave = (place: FaultSlot) => put(places.filter((each) => each !== place))
  return {
    pauses: pendingWaits,
    releaseAll: letGo,
    faults: {
      add(fault) {
        check(fault, app)
        const place = createFaultSlot(fault, chanceOf(ids, added), leave)
        put([...places, place])
        added += 1
        return place.active
      },
      list: () => places.map(({ active }) => active),
      clear() {
        put([])
        added = 0
        headerChance = chanceOf(ids, 'header')
        letGo()
      },
    },
    around(visit, answer) {
      const header = allowFaultHeaders ? visit.request.headers.get(faultHeader) : null
      if (header !== null) {
        const asked = readAsked(header, app)
        if (asked instanceof TypeError) return Promise.resolve(faultErrorResponse(asked.message))
        visit.fault = `${faultHeader}: ${header}`
        return applyFault({ fault: asked, visit, chance: headerChance, clock, pauses: pendingWaits, bodies }, answer)
      }
      const place = places.find((each) => each.takes(visit))
      if (place === undefined) return answer()
      const { fault, chance, active } = place
      visit.fault = active.name
      return applyFault({ fault, visit, chance, clock, pauses: pendingWaits, bodies }, answer)
    },
  }
}

function check(fault: Fault, { clock }: Parts): void {
  checkFault(fault)
  if (fault.clock !== 'virtual' || clock.after !== undefined) return
  throw new TypeError("This server was given a clock that wakes nobody: leave `clock: 'virtual'` or that clock out.")
}

/** A caller over the network cannot be thrown at: it is told. */
function readAsked(header: string, app: Parts): Fault | TypeError {
  try {
    const fault = readFaultHeader(header)
    check(fault, app)
    return fault
  } catch (problem) {
    if (problem instanceof TypeError) return problem
    throw problem
  }
}

/** A fault at its place in the order. */
interface FaultSlot {
  readonly active: ActiveFault
  readonly fault: Fault
  readonly chance: Chance
  /** Whether it strikes this request; asking counts. */
  takes(visit: ObservedRequest): boolean
}

function createFaultSlot(given: Fault, chance: Chance, leave: (place: FaultSlot) => void): FaultSlot {
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
