import type { App } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import { type Duration, toMicros } from '../duration.ts'
import type { ObservedRequest } from '../observed-request.ts'
import { fits } from '../observed-request.ts'
import { countFault, type TestCoverage } from '../test-coverage.ts'
import { applyFault, type Chance, createChance } from './apply-fault.ts'
import { type ActiveFault, checkFault, type Fault, nameOf, refusesAll } from './fault.ts'
import { createFaultCors, isPreflight } from './fault-cors.ts'
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

/** A fault with its counts, for a fork. */
interface FaultState {
  readonly fault: Fault
  /** Undefined for a fault that applies at any time. */
  readonly window: TimeWindow | undefined
  /** Its number among the added faults, which selects its random stream. */
  readonly number: number
  readonly draws: number
  readonly seen: number
  readonly hits: number
}

/** The faults and the code that applies them. */
export interface FaultLayer {
  readonly faults: Faults
  /** The faults that were added to this server, without those of the server from which it was forked. */
  readonly ownFaults: Pick<Faults, 'list'>
  states(): readonly FaultState[]
  /** Adds the faults of the server from which this one is forked. */
  adopt(states: readonly FaultState[]): void
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
  readonly allowFaultHeaders?: boolean | undefined
}

export interface FaultParts extends FaultOptions {
  readonly coverage: TestCoverage
  readonly keepAlive: KeepAlive
}

type Parts = Pick<App, 'clock' | 'ids' | 'log'>

export function createFaultLayer(
  app: Parts & Pick<App, 'config'>,
  { allowFaultHeaders = false, ...parts }: FaultParts,
): FaultLayer {
  const { clock, ids, log, keepAlive, coverage } = { ...app, ...parts }
  const waits = createPendingWaits(keepAlive)
  const bodyWaits = createPendingWaits(keepAlive)
  let headerChance = createChance(ids, 'header')
  const slots = createSlotList({ ids, clock, log, coverage })
  const addCors = createFaultCors(app.config)
  const add = (fault: Fault, window?: TimeWindow) => {
    check(fault, app)
    return slots.add(fault, window)
  }
  const releaseAll = () => {
    waits.releaseAll()
    bodyWaits.releaseAll()
  }
  return {
    waits,
    releaseAll,
    onRefusing: slots.onRefusing,
    ownFaults: {
      list: () =>
        slots
          .all()
          .filter(({ isOwn }) => isOwn)
          .map(({ active }) => active),
    },
    states: () => slots.all().map((slot) => slot.state()),
    adopt: slots.adopt,
    faults: {
      add: (fault) => add(fault),
      schedule(scheduled) {
        const now = clock.now()
        const checked = scheduled.map(({ at, for: duration, ...fault }) => {
          check(fault, app)
          const startsAt = now + toMicros(at, 'at')
          const endsAt = duration === undefined ? Number.POSITIVE_INFINITY : startsAt + toMicros(duration, 'for')
          return { fault, window: { startsAt, endsAt } }
        })
        return checked.map(({ fault, window }) => add(fault, window))
      },
      list: () => slots.all().map(({ active }) => active),
      clear() {
        slots.clear()
        headerChance = createChance(ids, 'header')
        releaseAll()
      },
    },
    async handle(observed, answer) {
      if (app.config.corsOrigins.length > 0 && isPreflight(observed.request)) return answer()
      const header = allowFaultHeaders ? observed.request.headers.get(faultHeader) : null
      const slot = header === null ? slots.all().find((each) => each.applies(observed)) : undefined
      const fault = header === null ? slot?.fault : readHeader(header, app)
      if (fault instanceof TypeError) return faultErrorResponse(fault.message)
      if (fault === undefined) return answer()
      observed.fault = slot?.active.name ?? `${faultHeader}: ${header}`
      const chance = slot?.chance ?? headerChance
      const begun = { waits: waits.begin(), bodyWaits: bodyWaits.begin() }
      return addCors(observed.request, await applyFault({ fault, observed, chance, clock, log, ...begun }, answer))
    },
  }
}

/** The added faults in their order. */
function createSlotList(parts: Parts & Pick<FaultParts, 'coverage'>) {
  let slots: readonly FaultSlot[] = []
  let setRefusing: (isRefusing: boolean) => void = () => undefined
  let added = 0
  const set = (next: readonly FaultSlot[]) => {
    slots = next
    setRefusing(slots.some(({ fault, window }) => window === undefined && refusesAll(fault)))
  }
  const remove = (slot: FaultSlot) => set(slots.filter((each) => each !== slot))
  const append = (state: FaultState, isOwn: boolean) => {
    const slot = createFaultSlot({ ...state, ...parts, isOwn }, remove)
    set([...slots, slot])
    added = Math.max(added, state.number + 1)
    return slot.active
  }
  return {
    all: () => slots,
    add: (fault: Fault, window: TimeWindow | undefined) =>
      append({ fault, window, number: added, draws: 0, seen: 0, hits: 0 }, true),
    adopt(states: readonly FaultState[]) {
      for (const state of states) append(state, false)
    },
    clear() {
      set([])
      added = 0
    },
    onRefusing(listener: typeof setRefusing) {
      setRefusing = listener
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

/** An added fault at its position in the order. */
interface FaultSlot extends Pick<FaultState, 'fault' | 'window'> {
  readonly chance: Chance
  /** Whether it was added to this server. */
  readonly isOwn: boolean
  readonly active: ActiveFault
  state(): FaultState
  /** Whether it applies to this request. Each call counts as a match. */
  applies(observed: ObservedRequest): boolean
}

type SlotParts = FaultState & Pick<FaultSlot, 'isOwn'> & Parts & Pick<FaultParts, 'coverage'>

function createFaultSlot(
  { ids, clock, coverage, isOwn, ...given }: SlotParts,
  removeSlot: (slot: FaultSlot) => void,
): FaultSlot {
  const { window, number } = given
  const fault = { ...given.fault }
  const { match = {}, after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = fault
  const name = nameOf(fault)
  const draws = { count: given.draws }
  const chance = createChance(ids, number, draws)
  let { seen, hits } = given
  countFault(coverage, name, 0)
  const remove = () => removeSlot(slot)
  const slot: FaultSlot = {
    fault,
    chance,
    window,
    isOwn,
    active: {
      fault,
      name,
      get hits() {
        return hits
      },
      remove,
      [Symbol.dispose]: remove,
    },
    state: () => ({ fault, window, number, draws: draws.count, seen, hits }),
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
