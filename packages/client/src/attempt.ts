import type { Delivered } from './errors/details.ts'
import type { AnyServiceError } from './errors/family.ts'
import type { HookedRequest } from './hooks.ts'
import type { PreparedCall } from './prepared-call.ts'

/**
 * One attempt of a call and what is known about it so far. Each attempt has its own, because one that was given up may
 * still be running and must not write into the next.
 */
export interface AttemptState {
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
  retryAfterMs?: number | undefined
  /** The token that was sent with it. */
  token?: string
  /** The request as the hooks left it, when there are any: what `beforeError` is given. */
  sent?: HookedRequest | undefined
  /** What the attempt fails with when its time is over, where more is known than that. */
  refusal?: AnyServiceError
  /** A 401 of an earlier attempt: the same token is not sent again. */
  readonly refused?: { readonly token: string; readonly error: AnyServiceError } | undefined
}

export const firstAttempt = (call: PreparedCall): AttemptState => ({
  call,
  retries: 0,
  attempts: 0,
  delivered: 'no',
  deliveredBefore: 'no',
})

export const nextAttempt = (
  last: AttemptState,
  { retries, refused }: Pick<AttemptState, 'retries' | 'refused'>,
): AttemptState => ({
  call: last.call,
  retries,
  attempts: last.attempts,
  delivered: last.delivered,
  deliveredBefore: last.delivered,
  refused,
  sent: last.sent,
})
