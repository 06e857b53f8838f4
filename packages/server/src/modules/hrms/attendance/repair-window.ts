import type { Micros } from '../../../core/clock.ts'
import { type PairingStart, pairFrom } from './pair-punches.ts'
import {
  defaultLimits,
  type PairedPunch,
  type PairingLimits,
  type PairingOutcome,
  type PunchInput,
  type Session,
} from './punch.ts'

// Pairing walks forward in time, so a new punch at t does not change results before t. The walk therefore restarts
// at t from the stored state and runs to the end. For the newest punch, the window holds only punches of
// the last minute. Punches older than 31 days are rejected on arrival, so the
// longest repair covers one month of one employee.

/** What to load for a repair: punches from `punchesFromAt` on, and the last session begun before `sessionBeforeAt`. */
export type RepairWindow = { readonly punchesFromAt: Micros; readonly sessionBeforeAt: Micros }

/** The loaded window with the current sessions. `latestSession` may be open or closed. */
export type StoredWindow = { readonly punches: readonly PairedPunch[]; readonly latestSession: Session | null }

export type RepairTask = {
  readonly added: readonly PunchInput[]
  readonly stored: StoredWindow
  readonly limits?: Partial<PairingLimits>
}

/** What to write: only new or changed results. Sessions are identified by their check-in punch. */
export type Repair = { verdicts: Map<number, PairingOutcome>; sessions: Session[]; goneSessionIds: number[] }

export function repairWindow(added: readonly PunchInput[], limits: Partial<PairingLimits> = {}): RepairWindow {
  const { duplicateWindowUs } = { ...defaultLimits, ...limits }
  const at = earliest(added)
  return { punchesFromAt: at - duplicateWindowUs, sessionBeforeAt: at }
}

/** Adds punches to stored ones. The result equals pairing all punches from scratch. */
export function repairPairing({ added, stored, limits = {} }: RepairTask): Repair {
  const { punches, latestSession } = stored
  const at = earliest(added)
  const recent = punches.filter(({ punch, verdict: decision }) => punch.at < at && decision.duplicateOf === null)
  const later = punches.filter(({ punch }) => punch.at >= at)
  const reached = latestSession && wasOpenAt(at, latestSession) ? latestSession : null
  const start: PairingStart = { open: reached && { ...reached, checkOutId: null, checkOutAt: null }, recent }
  const pairing = pairFrom({ start, punches: [...later.map(({ punch }) => punch), ...added], limits })
  return {
    verdicts: changedVerdicts(pairing.verdicts, later),
    ...changedSessions(pairing.sessions, [...(reached ? [reached] : []), ...sessionsBegunBy(later)]),
  }
}

const earliest = (punches: readonly PunchInput[]): Micros =>
  punches.reduce((at, punch) => Math.min(at, punch.at), Number.POSITIVE_INFINITY)

/** A session that a punch in the window closes was still open just before `at`. */
const wasOpenAt = (at: Micros, session: Session): boolean => session.checkOutAt === null || session.checkOutAt >= at

const sessionsBegunBy = (judged: readonly PairedPunch[]): Session[] =>
  judged.flatMap(({ punch, verdict: decision }) => (decision.session?.checkInId === punch.id ? [decision.session] : []))

function changedVerdicts(
  now: ReadonlyMap<number, PairingOutcome>,
  stored: readonly PairedPunch[],
): Map<number, PairingOutcome> {
  const before = new Map(stored.map(({ punch, verdict: decision }) => [punch.id, decision]))
  return new Map([...now].filter(([id, decision]) => !isSameVerdict(decision, before.get(id))))
}

function changedSessions(now: readonly Session[], stored: readonly Session[]): Omit<Repair, 'verdicts'> {
  const before = new Map(stored.map((session) => [session.checkInId, session]))
  const recorded = new Set(now.map((session) => session.checkInId))
  return {
    sessions: now.filter((session) => session.checkOutId !== before.get(session.checkInId)?.checkOutId),
    goneSessionIds: [...before.keys()].filter((id) => !recorded.has(id)),
  }
}

/** Session changes are stored with the session. An orphan is a check-out without a session. */
const isSameVerdict = (a: PairingOutcome, b: PairingOutcome | undefined): boolean =>
  a.action === b?.action && a.duplicateOf === b.duplicateOf && a.session?.checkInId === b.session?.checkInId
