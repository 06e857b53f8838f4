import type { Delivered } from './errors/details.ts'
import type { AnyServiceError } from './errors/family.ts'
import type { PreparedCall } from './prepare-call.ts'

/**
 * One attempt of a call and what is known about it so far. Each attempt has its own, because one that was given up may
 * still be running and must not write into the next.
 */
export interface Trip {
  readonly call: PreparedCall
  /** Retries before this attempt; a replay with a new token is none. */
  readonly retries: number
  /** Requests sent, this one included once it is on its way. */
  attempts: number
  /** Over all attempts until now. */
  delivered: Delivered
  readonly deliveredBefore: Delivered
  status?: number
  requestId?: string
  retryAfterMs?: number
  /** The token that was sent with it. */
  token?: string
  /** What the attempt fails with when its time is over, where more is known than that. */
  refusal?: AnyServiceError
  /** A 401 of an earlier attempt: the same token is not sent again. */
  readonly refused?: { readonly token: string; readonly error: AnyServiceError } | undefined
}

export const firstTrip = (call: PreparedCall): Trip => ({
  call,
  retries: 0,
  attempts: 0,
  delivered: 'no',
  deliveredBefore: 'no',
})

export const nextTrip = (last: Trip, { retries, refused }: Pick<Trip, 'retries' | 'refused'>): Trip => ({
  call: last.call,
  retries,
  attempts: last.attempts,
  delivered: last.delivered,
  deliveredBefore: last.delivered,
  refused,
})
