import {
  type AttendanceSession,
  comparePunches,
  defaultLimits,
  type PairedPunch,
  type PairingLimits,
  type PairingOutcome,
  type PunchInput,
} from './punch.ts'

// Pairing walks the punches once in canonical order, so its result depends only on the set of punches:
// an agent that uploads late produces the same sessions as one that was always online.
// The walk state is small (the open session and the last accepted punch of each kind) and can be
// restored from stored results, so `repair-window.ts` can start in the middle.

export type Pairing = { sessions: AttendanceSession[]; outcomes: Map<number, PairingOutcome> }

/** The walk state before its first punch. */
export type PairingStart = { readonly open: AttendanceSession | null; readonly recent: readonly PairedPunch[] }

export type PairingTask = {
  readonly start: PairingStart
  readonly punches: readonly PunchInput[]
  readonly limits?: Partial<PairingLimits>
}

/** Pairs all punches of one employee. The input order does not matter. */
export const pairPunches = (punches: readonly PunchInput[], limits: Partial<PairingLimits> = {}): Pairing =>
  pairFrom({ start: { open: null, recent: [] }, punches, limits })

/** Pairs the punches after an instant. `start.recent` holds those accepted within one duplicate window before it. */
export function pairFrom({ start, punches, limits }: PairingTask): Pairing {
  const walk = beginWalk(start, { ...defaultLimits, ...limits })
  for (const instant of groupByInstant(punches.toSorted(comparePunches))) processInstant(walk, instant)
  return { sessions: walk.sessions, outcomes: walk.outcomes }
}

// Closing a session mutates it, so that results already referring to it include the check-out.
type OpenSession = { -readonly [key in keyof AttendanceSession]: AttendanceSession[key] }

type Walk = {
  readonly limits: PairingLimits
  readonly sessions: AttendanceSession[]
  readonly outcomes: Map<number, PairingOutcome>
  readonly lastAccepted: Map<string, PairedPunch>
  open: OpenSession | null
  previous: PairedPunch | null
}

function beginWalk(start: PairingStart, limits: PairingLimits): Walk {
  const open = start.open && { ...start.open }
  const walk: Walk = {
    limits,
    sessions: open ? [open] : [],
    outcomes: new Map(),
    lastAccepted: new Map(),
    open,
    previous: null,
  }
  for (const { punch, outcome } of start.recent.toSorted((a, b) => a.punch.at - b.punch.at)) {
    const session = open?.checkInId === outcome.session?.checkInId ? open : outcome.session
    walk.lastAccepted.set(kindOf(punch), { punch, outcome: { ...outcome, session } })
  }
  return walk
}

/** Groups sorted punches by their instant. */
function groupByInstant(sorted: readonly PunchInput[]): PunchInput[][] {
  const instants: PunchInput[][] = []
  for (const punch of sorted) {
    const current = instants.at(-1)
    if (current?.[0]?.at === punch.at) current.push(punch)
    else instants.push([punch])
  }
  return instants
}

/**
 * Of the punches of one instant, one counts. The exception is a change of shifts: if an `out` closes the open session, an
 * `in` at the same instant begins the next one. Devices that send whole minutes do this for each short pause.
 */
function processInstant(walk: Walk, punches: readonly PunchInput[]): void {
  const change = findChange(walk, punches)
  if (change === undefined) {
    for (const punch of punches) processPunch(walk, punch)
    return
  }
  const rest = punches.filter((punch) => punch !== change.out && punch !== change.in)
  for (const punch of [change.out, ...rest.filter(({ direction }) => direction !== 'in')]) processPunch(walk, punch)
  accept(walk, change.in)
  for (const punch of rest.filter(({ direction }) => direction === 'in')) processPunch(walk, punch)
}

function findChange(walk: Walk, punches: readonly PunchInput[]) {
  if (walk.open === null) return undefined
  const out = punches.find((punch) => punch.direction === 'out' && findOriginal(walk, punch) === null)
  // An `in` one minute after the last one is not a second tap on a device that sends whole minutes.
  const arrival = punches.find((punch) => punch.direction === 'in' && !isWithinWindow(walk, punch))
  return out && arrival && { out, in: arrival }
}

function isWithinWindow({ lastAccepted, limits }: Walk, punch: PunchInput): boolean {
  const accepted = lastAccepted.get(kindOf(punch))
  return accepted !== undefined && punch.at - accepted.punch.at < limits.duplicateWindowUs
}

function processPunch(walk: Walk, punch: PunchInput): void {
  const original = findOriginal(walk, punch)
  if (original === null) {
    accept(walk, punch)
    return
  }
  const outcome = toDuplicate(original)
  walk.outcomes.set(punch.id, outcome)
  walk.previous = { punch, outcome }
}

function accept(walk: Walk, punch: PunchInput): void {
  walk.previous = { punch, outcome: pair(walk, punch) }
  walk.outcomes.set(punch.id, walk.previous.outcome)
  walk.lastAccepted.set(kindOf(punch), walk.previous)
}

const kindOf = (punch: PunchInput): string => `${punch.direction} ${punch.deviceFamily}`

/** Two punches at one instant, or two of one kind within the window, are duplicates. */
function findOriginal({ previous, lastAccepted, limits }: Walk, punch: PunchInput): PairedPunch | null {
  if (previous?.punch.at === punch.at) return previous
  // Measured from the accepted punch, not from the last duplicate, so repeated taps do not extend the window.
  const accepted = lastAccepted.get(kindOf(punch))
  return accepted && punch.at - accepted.punch.at <= limits.duplicateWindowUs ? accepted : null
}

/** The original may itself be a duplicate; this returns the accepted punch. */
const toDuplicate = ({ punch, outcome }: PairedPunch): PairingOutcome => ({
  ...outcome,
  duplicateOf: outcome.duplicateOf ?? punch.id,
})

function pair(walk: Walk, punch: PunchInput): PairingOutcome {
  if (isForgotten(walk, punch)) walk.open = null
  const leaves = punch.direction === 'out' || (punch.direction === 'toggle' && walk.open !== null)
  return leaves ? checkOut(walk, punch) : checkIn(walk, punch)
}

/** Decision 010: after the limit, only an explicit `out` is added to a session. */
const isForgotten = ({ open, limits }: Walk, { direction, at }: PunchInput): boolean =>
  open !== null && direction !== 'out' && at - open.checkInAt > limits.openSessionLimitUs

/** The first `in` counts. A second one during an open session is stored without effect. */
function checkIn(walk: Walk, punch: PunchInput): PairingOutcome {
  const session = walk.open ?? { checkInId: punch.id, checkInAt: punch.at, checkOutId: null, checkOutAt: null }
  if (!walk.open) walk.sessions.push(session)
  walk.open = session
  return { action: 'check_in', duplicateOf: null, orphan: false, session }
}

/** An `out` without an open session is an orphan; no check-in is invented. */
function checkOut(walk: Walk, punch: PunchInput): PairingOutcome {
  const session = walk.open
  if (session) {
    session.checkOutId = punch.id
    session.checkOutAt = punch.at
  }
  walk.open = null
  return { action: 'check_out', duplicateOf: null, orphan: session === null, session }
}
