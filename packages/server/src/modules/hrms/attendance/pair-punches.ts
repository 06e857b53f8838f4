import {
  comparePunches,
  defaultLimits,
  type PairedPunch,
  type PairingLimits,
  type PairingOutcome,
  type PunchInput,
  type Session,
} from './punch.ts'

// Pairing is one walk over the punches in canonical order, so its result is a function of the set of punches:
// an agent that was offline and uploads late gives the same sessions as one that never was.
// The walk remembers little (the open session, the last accepted punch of each kind), and all of it can be
// read back from stored verdicts; that is what lets `repair-window.ts` start in the middle.

export type Pairing = { sessions: Session[]; verdicts: Map<number, PairingOutcome> }

/** What a walk must know of everything before its first punch. */
export type PairingStart = { readonly open: Session | null; readonly recent: readonly PairedPunch[] }

export type PairingTask = {
  readonly start: PairingStart
  readonly punches: readonly PunchInput[]
  readonly limits?: Partial<PairingLimits>
}

/** Pairs all punches of one employee, in whatever order they are given. */
export const pairPunches = (punches: readonly PunchInput[], limits: Partial<PairingLimits> = {}): Pairing =>
  pairFrom({ start: { open: null, recent: [] }, punches, limits })

/** Pairs the punches after some moment. `start.recent` holds the accepted punches one duplicate window before it. */
export function pairFrom({ start, punches, limits }: PairingTask): Pairing {
  const walk = beginWalk(start, { ...defaultLimits, ...limits })
  for (const punch of punches.toSorted(comparePunches)) judge(walk, punch)
  return { sessions: walk.sessions, verdicts: walk.verdicts }
}

// Closing a session writes into it, so that the verdicts already pointing to it show the check-out too.
type OpenSession = { -readonly [key in keyof Session]: Session[key] }

type Walk = {
  readonly limits: PairingLimits
  readonly sessions: Session[]
  readonly verdicts: Map<number, PairingOutcome>
  readonly lastAccepted: Map<string, PairedPunch>
  open: OpenSession | null
  previous: PairedPunch | null
}

function beginWalk(start: PairingStart, limits: PairingLimits): Walk {
  const open = start.open && { ...start.open }
  const walk: Walk = {
    limits,
    sessions: open ? [open] : [],
    verdicts: new Map(),
    lastAccepted: new Map(),
    open,
    previous: null,
  }
  // Accepted punches of one kind stand further apart than the window is long, so their order does not matter here.
  for (const { punch, verdict: decision } of start.recent) {
    const session = open?.checkInId === decision.session?.checkInId ? open : decision.session
    walk.lastAccepted.set(kindOf(punch), { punch, verdict: { ...decision, session } })
  }
  return walk
}

function judge(walk: Walk, punch: PunchInput): void {
  const original = originalOf(walk, punch)
  const decision = original ? repeat(original) : pair(walk, punch)
  walk.verdicts.set(punch.id, decision)
  walk.previous = { punch, verdict: decision }
  if (!original) walk.lastAccepted.set(kindOf(punch), walk.previous)
}

const kindOf = (punch: PunchInput): string => `${punch.direction} ${punch.deviceFamily}`

/** Nobody punches twice at one instant; and two readings of one kind within the window are one hesitating finger. */
function originalOf({ previous, lastAccepted, limits }: Walk, punch: PunchInput): PairedPunch | null {
  if (previous?.punch.at === punch.at) return previous
  // Measured from the accepted punch and not from the last repetition: a tapping finger must not extend the window.
  const accepted = lastAccepted.get(kindOf(punch))
  return accepted && punch.at - accepted.punch.at <= limits.duplicateWindowUs ? accepted : null
}

/** The original may itself repeat an earlier punch: what is reported is always the accepted one. */
const repeat = ({ punch, verdict: decision }: PairedPunch): PairingOutcome => ({
  ...decision,
  duplicateOf: decision.duplicateOf ?? punch.id,
})

function pair(walk: Walk, punch: PunchInput): PairingOutcome {
  if (isForgotten(walk, punch)) walk.open = null
  const leaves = punch.direction === 'out' || (punch.direction === 'toggle' && walk.open !== null)
  return leaves ? checkOut(walk, punch) : checkIn(walk, punch)
}

/** Decision 010: past the limit a session takes nothing but an explicit `out`. This line is the whole rule. */
const isForgotten = ({ open, limits }: Walk, { direction, at }: PunchInput): boolean =>
  open !== null && direction !== 'out' && at - open.checkInAt > limits.openSessionLimitUs

/** The first `in` counts; a second one while the session is open is recorded and changes nothing. */
function checkIn(walk: Walk, punch: PunchInput): PairingOutcome {
  const session = walk.open ?? { checkInId: punch.id, checkInAt: punch.at, checkOutId: null, checkOutAt: null }
  if (!walk.open) walk.sessions.push(session)
  walk.open = session
  return { action: 'check_in', duplicateOf: null, orphan: false, session }
}

/** An `out` without an open session stays an orphan: no check-in is invented for it. */
function checkOut(walk: Walk, punch: PunchInput): PairingOutcome {
  const session = walk.open
  if (session) {
    session.checkOutId = punch.id
    session.checkOutAt = punch.at
  }
  walk.open = null
  return { action: 'check_out', duplicateOf: null, orphan: session === null, session }
}
