import type { Delivered } from './errors/details.ts'
import type { AnyServiceError } from './errors/family.ts'
import type { HookedRequest } from './hooks.ts'
import type { Pacer } from './pacer.ts'
import type { PreparedCall } from './prepared-call.ts'

/**
 * The state of one attempt of a call. Each attempt has its own state, because an abandoned attempt may
 * still be running and must not change the next one.
 */
export interface AttemptState {
  readonly call: PreparedCall
  /** Retries before this attempt. A replay with a new token does not count. */
  readonly retries: number
  /** Requests sent, including the one of this attempt. */
  attempts: number
  /** Over all attempts until now. */
  delivered: Delivered
  readonly deliveredBefore: Delivered
  status?: number
  requestId?: string
  retryAfterMs?: number | undefined
  /** The token that was sent with it. */
  token?: string
  /** The request after the hooks changed it, if there are hooks. `beforeError` receives it. */
  hookedRequest?: HookedRequest | undefined
  /** Set if the client paces its calls. */
  pacer?: Pacer
  /** The error for a timeout of the attempt, if more is known than that it timed out. */
  errorOnTimeout?: AnyServiceError
  /** A 401 of an earlier attempt: the same token is not sent again. */
  readonly refusedToken?: { readonly token: string; readonly error: AnyServiceError } | undefined
}

export const firstAttempt = (call: PreparedCall): AttemptState => ({
  call,
  retries: 0,
  attempts: 0,
  delivered: 'no',
  deliveredBefore: 'no',
})

/** 502 and 504 come from a gateway, which may not have reached the platform. */
export function recordStatus(attempt: AttemptState, status: number): void {
  attempt.status = status
  if (status !== 502 && status !== 504) attempt.delivered = 'yes'
}

export const nextAttempt = (
  last: AttemptState,
  { retries, refusedToken }: Pick<AttemptState, 'retries' | 'refusedToken'>,
): AttemptState => ({
  call: last.call,
  retries,
  attempts: last.attempts,
  delivered: last.delivered,
  deliveredBefore: last.delivered,
  refusedToken,
  hookedRequest: last.hookedRequest,
})
