import type { PunchDirection, punchActions } from '@service/contract'
import { type Micros, microsPerHour, microsPerMinute } from '../../../core/clock.ts'

/** One raw punch of one employee. `deviceFamily` is the `source_type` of the device. */
export type PunchInput = {
  readonly id: number
  readonly at: Micros
  readonly direction: PunchDirection
  readonly deviceId: number
  readonly deviceFamily: string
}

/** A stay at work. Its identity is the punch that began it; without a check-out it is still open, or was forgotten. */
export type Session = {
  readonly checkInId: number
  readonly checkInAt: Micros
  readonly checkOutId: number | null
  readonly checkOutAt: Micros | null
}

/** What pairing made of one punch. A duplicate carries the action and the session of the punch it repeats. */
export type PairingOutcome = {
  readonly action: (typeof punchActions)[number]
  readonly duplicateOf: number | null
  readonly orphan: boolean
  readonly session: Session | null
}

export type PairedPunch = { readonly punch: PunchInput; readonly verdict: PairingOutcome }

export type PairingLimits = { readonly openSessionLimitUs: Micros; readonly duplicateWindowUs: Micros }

export const defaultLimits: PairingLimits = {
  openSessionLimitUs: 16 * microsPerHour,
  duplicateWindowUs: microsPerMinute,
}

const directionRank: Record<PunchDirection, number> = { in: 0, out: 1, toggle: 2 }

/**
 * The canonical order. Ids follow arrival, so they come last: they only choose between punches
 * that are equal in everything else, and so can never decide which instants form a session.
 */
export const comparePunches = (a: PunchInput, b: PunchInput): number =>
  a.at - b.at ||
  directionRank[a.direction] - directionRank[b.direction] ||
  a.deviceId - b.deviceId ||
  Number(a.deviceFamily > b.deviceFamily) - Number(a.deviceFamily < b.deviceFamily) ||
  a.id - b.id
