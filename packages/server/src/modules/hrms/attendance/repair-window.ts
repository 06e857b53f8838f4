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

// A new punch at t leaves every verdict before t as it was, because pairing walks forward in time. So the walk
// restarts at t itself, from the state that the stored verdicts describe, and runs to the end. For a punch later
// than all others the window holds only what came within the last minute; punches older than 31 days are refused
// when they come in, so the longest repair is one month of one employee.

/** What to read before a repair: the punches from `punchesFromAt` on, the last session begun before `sessionBeforeAt`. */
export type RepairWindow = { readonly punchesFromAt: Micros; readonly sessionBeforeAt: Micros }

/** The window as the store holds it, sessions as they are now. `latestSession` may be open or closed. */
export type StoredWindow = { readonly punches: readonly PairedPunch[]; readonly latestSession: Session | null }

export type RepairTask = {
  readonly added: readonly PunchInput[]
  readonly stored: StoredWindow
  readonly limits?: Partial<PairingLimits>
}

/** What the store must write: only what is new or differs. Sessions are named by their check-in punch. */
export type Repair = { verdicts: Map<number, PairingOutcome>; sessions: Session[]; goneSessionIds: number[] }

export function repairWindow(added: readonly PunchInput[], limits: Partial<PairingLimits> = {}): RepairWindow {
  const { duplicateWindowUs } = { ...defaultLimits, ...limits }
  const at = earliest(added)
  return { punchesFromAt: at - duplicateWindowUs, sessionBeforeAt: at }
}

/** Adds punches to what is stored, with exactly the result of pairing everything from scratch. */
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

/** Just before `at`: a session that a punch in the window closes was still open then. */
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

/** How the session now looks is kept with the session; and an orphan is just a check-out that has none. */
const isSameVerdict = (a: PairingOutcome, b: PairingOutcome | undefined): boolean =>
  a.action === b?.action && a.duplicateOf === b.duplicateOf && a.session?.checkInId === b.session?.checkInId
