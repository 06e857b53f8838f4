import {
  comparePunches,
  defaultLimits,
  type JudgedPunch,
  type PairingLimits,
  type PunchFact,
  type Session,
  type Verdict,
} from './punch.ts'

// Pairing is one walk over the punches in canonical order, so its result is a function of the set of punches:
// an agent that was offline and uploads late gives the same sessions as one that never was.
// The walk remembers little (the open session, the last accepted punch of each kind), and all of it can be
// read back from stored verdicts; that is what lets `repair-window.ts` start in the middle.

export type Pairing = { sessions: Session[]; verdicts: Map<number, Verdict> }

/** What a walk must know of everything before its first punch. */
export type PairingStart = { readonly open: Session | null; readonly recent: readonly JudgedPunch[] }

export type PairingTask = {
  readonly start: PairingStart
  readonly punches: readonly PunchFact[]
  readonly limits?: Partial<PairingLimits>
}

/** Pairs all punches of one employee, in whatever order they are given. */
export const pairPunches = (punches: readonly PunchFact[], limits: Partial<PairingLimits> = {}): Pairing =>
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
  readonly verdicts: Map<number, Verdict>
  readonly lastAccepted: Map<string, JudgedPunch>
  open: OpenSession | null
  previous: JudgedPunch | null
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
  for (const { punch, verdict } of start.recent) {
    const session = open?.checkInId === verdict.session?.checkInId ? open : verdict.session
    walk.lastAccepted.set(kindOf(punch), { punch, verdict: { ...verdict, session } })
  }
  return walk
}

function judge(walk: Walk, punch: PunchFact): void {
  const original = originalOf(walk, punch)
  const verdict = original ? repeat(original) : pair(walk, punch)
  walk.verdicts.set(punch.id, verdict)
  walk.previous = { punch, verdict }
  if (!original) walk.lastAccepted.set(kindOf(punch), walk.previous)
}

const kindOf = (punch: PunchFact): string => `${punch.direction} ${punch.deviceFamily}`

/** Nobody punches twice at one instant; and two readings of one kind within the window are one hesitating finger. */
function originalOf({ previous, lastAccepted, limits }: Walk, punch: PunchFact): JudgedPunch | null {
  if (previous?.punch.at === punch.at) return previous
  // Measured from the accepted punch and not from the last repetition: a tapping finger must not extend the window.
  const accepted = lastAccepted.get(kindOf(punch))
  return accepted && punch.at - accepted.punch.at <= limits.duplicateWindowUs ? accepted : null
}

/** The original may itself repeat an earlier punch: what is reported is always the accepted one. */
const repeat = ({ punch, verdict }: JudgedPunch): Verdict => ({
  ...verdict,
  duplicateOf: verdict.duplicateOf ?? punch.id,
})

function pair(walk: Walk, punch: PunchFact): Verdict {
  if (isForgotten(walk, punch)) walk.open = null
  const leaves = punch.direction === 'out' || (punch.direction === 'toggle' && walk.open !== null)
  return leaves ? checkOut(walk, punch) : checkIn(walk, punch)
}

/** Decision 010: past the limit a session takes nothing but an explicit `out`. This line is the whole rule. */
const isForgotten = ({ open, limits }: Walk, { direction, at }: PunchFact): boolean =>
  open !== null && direction !== 'out' && at - open.checkInAt > limits.openSessionLimitUs

/** The first `in` counts; a second one while the session is open is recorded and changes nothing. */
function checkIn(walk: Walk, punch: PunchFact): Verdict {
  const session = walk.open ?? { checkInId: punch.id, checkInAt: punch.at, checkOutId: null, checkOutAt: null }
  if (!walk.open) walk.sessions.push(session)
  walk.open = session
  return { action: 'check_in', duplicateOf: null, orphan: false, session }
}

/** An `out` without an open session stays an orphan: no check-in is invented for it. */
function checkOut(walk: Walk, punch: PunchFact): Verdict {
  const session = walk.open
  if (session) {
    session.checkOutId = punch.id
    session.checkOutAt = punch.at
  }
  walk.open = null
  return { action: 'check_out', duplicateOf: null, orphan: session === null, session }
}
