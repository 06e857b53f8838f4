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

/** A check-in and its check-out, identified by the check-in. Without a check-out it is open, or was forgotten. */
export type AttendanceSession = {
  readonly checkInId: number
  readonly checkInAt: Micros
  readonly checkOutId: number | null
  readonly checkOutAt: Micros | null
}

/** The result of pairing one punch. A duplicate has the action and session of its original. */
export type PairingOutcome = {
  readonly action: (typeof punchActions)[number]
  readonly duplicateOf: number | null
  readonly orphan: boolean
  readonly session: AttendanceSession | null
}

export type PairedPunch = { readonly punch: PunchInput; readonly outcome: PairingOutcome }

export type PairingLimits = { readonly openSessionLimitUs: Micros; readonly duplicateWindowUs: Micros }

export const defaultLimits: PairingLimits = {
  openSessionLimitUs: 16 * microsPerHour,
  duplicateWindowUs: microsPerMinute,
}

const directionRank: Record<PunchDirection, number> = { in: 0, out: 1, toggle: 2 }

/**
 * The canonical order. Ids depend on the order of arrival, so they come last: they only order punches that are otherwise
 * equal, which cannot affect the times of a session.
 */
export const comparePunches = (a: PunchInput, b: PunchInput): number =>
  a.at - b.at ||
  directionRank[a.direction] - directionRank[b.direction] ||
  a.deviceId - b.deviceId ||
  Number(a.deviceFamily > b.deviceFamily) - Number(a.deviceFamily < b.deviceFamily) ||
  a.id - b.id
