import type { App } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import { type Duration, toMicros } from '../duration.ts'
import type { ObservedRequest } from '../observed-request.ts'
import { fits } from '../observed-request.ts'
import { countFault, type TestCoverage } from '../test-coverage.ts'
import { applyFault, type Chance, createChance } from './apply-fault.ts'
import { type ActiveFault, checkFault, type Fault, nameOf, refusesAll } from './fault.ts'
import { faultErrorResponse, faultHeader, readFaultHeader } from './fault-response.ts'
import { createPendingWaits, type KeepAlive, type PendingWaits } from './pending-waits.ts'

/** The faults of a server, in matching order. */
export interface Faults {
  /** Throws a TypeError for an invalid fault. */
  add(fault: Fault): ActiveFault
  /**
   * Adds faults that apply in a time window of the server's clock, measured from now. Move the clock with
   * `clock.advance`. A scheduled `connection: 'refused'` resets connections and does not close the port.
   *
   * @example
   * server.faults.schedule([{ at: '10s', for: '30s', respond: 503 }])
   */
  schedule(faults: readonly ScheduledFault[]): readonly ActiveFault[]
  /** Includes exhausted faults. */
  list(): readonly ActiveFault[]
  /** Removes all faults and ends their waits: a hanging request fails, and a delayed one continues. */
  clear(): void
}

/** A fault in a time window of the server's clock. */
export interface ScheduledFault extends Fault {
  /** When it starts, from now. */
  readonly at: Duration
  /** How long it lasts; unlimited by default. */
  readonly for?: Duration | undefined
}

/** The faults and the code that applies them. */
export interface FaultLayer {
  readonly faults: Faults
  /** Requests delayed by a fault. */
  readonly waits: PendingWaits
  /** Ends the waits: a hanging request fails, and a delayed one continues. */
  releaseAll(): void
  /** Calls the listener when all connections are to be refused, and when they are accepted again. */
  onRefusing(listener: (isRefusing: boolean) => void): void
  handle(observed: ObservedRequest, answer: () => Promise<Response>): Promise<Response>
}

/** Whether callers may request faults. */
export interface FaultOptions {
  /**
   * Lets callers request a fault for their own request, e.g. `x-service-fault: status=503; latency=200`, for tests that
   * reach the platform only through another program. Off by default.
   */
  readonly allowFaultHeaders?: boolean
}

export interface FaultParts extends FaultOptions {
  readonly coverage: TestCoverage
  readonly keepAlive: KeepAlive
}

type Parts = Pick<App, 'clock' | 'ids'>

export function createFaultLayer(app: Parts, { allowFaultHeaders = false, ...parts }: FaultParts): FaultLayer {
  const { clock, ids, keepAlive, coverage } = { ...app, ...parts }
  const waits = createPendingWaits(keepAlive)
  const bodyWaits = createPendingWaits(keepAlive)
  let headerChance = createChance(ids, 'header')
  let slots: readonly FaultSlot[] = []
  let setRefusing: (isRefusing: boolean) => void = () => undefined
  let added = 0
  const setSlots = (next: readonly FaultSlot[]) => {
    slots = next
    setRefusing(slots.some(({ fault, window }) => window === undefined && refusesAll(fault)))
  }
  const remove = (slot: FaultSlot) => setSlots(slots.filter((each) => each !== slot))
  const add = (fault: Fault, window?: TimeWindow) => {
    check(fault, app)
    const slot = createFaultSlot({ fault, window, chance: createChance(ids, added), clock, coverage }, remove)
    setSlots([...slots, slot])
    added += 1
    return slot.active
  }
  const releaseAll = () => {
    waits.releaseAll()
    bodyWaits.releaseAll()
  }
  return {
    waits,
    releaseAll,
    onRefusing(listener) {
      setRefusing = listener
    },
    faults: {
      add: (fault) => add(fault),
      schedule(scheduled) {
        const now = clock.now()
        const checked = scheduled.map(({ at, for: duration, ...fault }) => {
          check(fault, app)
          const startsAt = now + toMicros(at)
          const endsAt = duration === undefined ? Number.POSITIVE_INFINITY : startsAt + toMicros(duration)
          return { fault, window: { startsAt, endsAt } }
        })
        return checked.map(({ fault, window }) => add(fault, window))
      },
      list: () => slots.map(({ active }) => active),
      clear() {
        setSlots([])
        added = 0
        headerChance = createChance(ids, 'header')
        releaseAll()
      },
    },
    async handle(observed, answer) {
      const header = allowFaultHeaders ? observed.request.headers.get(faultHeader) : null
      const slot = header === null ? slots.find((each) => each.applies(observed)) : undefined
      const fault = header === null ? slot?.fault : readHeader(header, app)
      if (fault instanceof TypeError) return faultErrorResponse(fault.message)
      if (fault === undefined) return answer()
      observed.fault = slot?.active.name ?? `${faultHeader}: ${header}`
      const chance = slot?.chance ?? headerChance
      return applyFault({ fault, observed, chance, clock, waits, bodyWaits }, answer)
    },
  }
}

function check(fault: Fault, { clock }: Parts): void {
  checkFault(fault)
  if (fault.clock !== 'virtual' || clock.after !== undefined) return
  throw new TypeError("The clock of this server has no timers: omit `clock: 'virtual'` or that clock.")
}

/** The header comes from the network, so the caller gets the error as a response. */
function readHeader(header: string, app: Parts): Fault | TypeError {
  try {
    const fault = readFaultHeader(header)
    check(fault, app)
    return fault
  } catch (problem) {
    if (problem instanceof TypeError) return problem
    throw problem
  }
}

/** By the server's clock; the end is excluded. */
interface TimeWindow {
  readonly startsAt: Micros
  readonly endsAt: Micros
}

interface FaultSlotParts {
  readonly fault: Fault
  readonly chance: Chance
  /** Undefined for a fault that applies at any time. */
  readonly window: TimeWindow | undefined
}

/** An added fault at its position in the order. */
interface FaultSlot extends FaultSlotParts {
  readonly active: ActiveFault
  /** Whether it applies to this request. Each call counts as a match. */
  applies(observed: ObservedRequest): boolean
}

function createFaultSlot(
  { clock, coverage, ...parts }: FaultSlotParts & Pick<Parts, 'clock'> & Pick<FaultParts, 'coverage'>,
  removeSlot: (slot: FaultSlot) => void,
): FaultSlot {
  const { chance, window } = parts
  const fault = { ...parts.fault }
  const { match = {}, after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = fault
  const name = nameOf(fault)
  let seen = 0
  let hits = 0
  countFault(coverage, name, 0)
  const remove = () => removeSlot(slot)
  const slot: FaultSlot = {
    fault,
    chance,
    window,
    active: {
      fault,
      name,
      get hits() {
        return hits
      },
      remove,
      [Symbol.dispose]: remove,
    },
    applies(observed) {
      if (hits >= times || !isOpen(window, clock.now()) || !fits(match, observed)) return false
      seen += 1
      if (seen <= after || (probability < 1 && chance() >= probability)) return false
      hits += 1
      countFault(coverage, name, 1)
      return true
    },
  }
  return slot
}

const isOpen = (window: TimeWindow | undefined, now: Micros): boolean =>
  window === undefined || (now >= window.startsAt && now < window.endsAt)
