import type { Micros } from '../../../core/clock.ts'
import { type PairingStart, pairFrom } from './pair-punches.ts'
import {
  type AttendanceSession,
  defaultLimits,
  type PairedPunch,
  type PairingLimits,
  type PairingOutcome,
  type PunchInput,
} from './punch.ts'

// Pairing walks forward in time, so a new punch at t does not change results before t. The walk restarts at t from the
// stored state and runs to the end. For the newest punch, the window contains only the punches of the last minute.
// Punches older than 31 days are rejected, so the longest repair covers one month of one employee.

/** What to load for a repair: punches from `punchesFromAt` on, and the last session begun before `sessionBeforeAt`. */
export type RepairWindow = { readonly punchesFromAt: Micros; readonly sessionBeforeAt: Micros }

/** The loaded window with the current sessions. `latestSession` may be open or closed. */
export type StoredWindow = {
  readonly punches: readonly PairedPunch[]
  readonly latestSession: AttendanceSession | null
}

export type RepairTask = {
  readonly added: readonly PunchInput[]
  /** Stored punches that no longer count. A moved punch is removed and added with the same id. */
  readonly removed?: readonly PunchInput[]
  readonly stored: StoredWindow
  readonly limits?: Partial<PairingLimits>
}

/** What to write: only new or changed results. Sessions are identified by their check-in punch. */
export type Repair = {
  outcomes: Map<number, PairingOutcome>
  sessions: AttendanceSession[]
  deletedSessionIds: number[]
}

export function repairWindow(added: readonly PunchInput[], limits: Partial<PairingLimits> = {}): RepairWindow {
  const { duplicateWindowUs } = { ...defaultLimits, ...limits }
  const at = earliest(added)
  return { punchesFromAt: at - duplicateWindowUs, sessionBeforeAt: at }
}

/** Adds and removes punches. The result equals pairing all remaining punches from scratch. */
export function repairPairing({ added, removed = [], stored, limits = {} }: RepairTask): Repair {
  const { punches, latestSession } = stored
  const at = earliest([...added, ...removed])
  const removedIds = new Set(removed.map(({ id }) => id))
  const recent = punches.filter(({ punch, outcome }) => punch.at < at && outcome.duplicateOf === null)
  const later = punches.filter(({ punch }) => punch.at >= at)
  const openSession = latestSession && wasOpenAt(at, latestSession) ? latestSession : null
  const start: PairingStart = {
    open: openSession && { ...openSession, checkOutId: null, checkOutAt: null },
    recent,
  }
  const remaining = later.map(({ punch }) => punch).filter(({ id }) => !removedIds.has(id))
  const pairing = pairFrom({ start, punches: [...remaining, ...added], limits })
  return {
    outcomes: changedOutcomes(pairing.outcomes, later),
    ...changedSessions(pairing.sessions, [...(openSession ? [openSession] : []), ...sessionsBegunBy(later)]),
  }
}

const earliest = (punches: readonly PunchInput[]): Micros =>
  punches.reduce((at, punch) => Math.min(at, punch.at), Number.POSITIVE_INFINITY)

/** A session that a punch in the window closes was still open just before `at`. */
const wasOpenAt = (at: Micros, session: AttendanceSession): boolean =>
  session.checkOutAt === null || session.checkOutAt >= at

const sessionsBegunBy = (paired: readonly PairedPunch[]): AttendanceSession[] =>
  paired.flatMap(({ punch, outcome }) => (outcome.session?.checkInId === punch.id ? [outcome.session] : []))

function changedOutcomes(
  now: ReadonlyMap<number, PairingOutcome>,
  stored: readonly PairedPunch[],
): Map<number, PairingOutcome> {
  const before = new Map(stored.map(({ punch, outcome }) => [punch.id, outcome]))
  return new Map([...now].filter(([id, outcome]) => !isSameOutcome(outcome, before.get(id))))
}

function changedSessions(
  now: readonly AttendanceSession[],
  stored: readonly AttendanceSession[],
): Omit<Repair, 'outcomes'> {
  const before = new Map(stored.map((session) => [session.checkInId, session]))
  const currentIds = new Set(now.map((session) => session.checkInId))
  return {
    sessions: now.filter((session) => !isSameSession(session, before.get(session.checkInId))),
    deletedSessionIds: [...before.keys()].filter((id) => !currentIds.has(id)),
  }
}

/** A corrected punch keeps its id and gets another time. */
const isSameSession = (a: AttendanceSession, b: AttendanceSession | undefined): boolean =>
  a.checkOutId === b?.checkOutId && a.checkInAt === b.checkInAt && a.checkOutAt === b.checkOutAt

/** Session changes are stored with the session. An orphan is a check-out without a session. */
const isSameOutcome = (a: PairingOutcome, b: PairingOutcome | undefined): boolean =>
  a.action === b?.action && a.duplicateOf === b.duplicateOf && a.session?.checkInId === b.session?.checkInId
