import type { Micros } from '../clock.ts'
import { nextAttempt } from './backoff.ts'
import type { Outcome } from './outcome.ts'
import { readRetryAfter } from './retry-after.ts'
import type { DeliveryState } from './table.ts'

export interface Tried {
  /** Attempts with this one, counted from the last time that somebody asked to send. */
  readonly attempts: number
  readonly now: Micros
  /** From 0 to 1; asked only when there is a wait to be spread. */
  readonly random: () => number
  readonly schedule: readonly number[]
}

/** What is to become of a delivery. */
export interface Verdict {
  readonly state: DeliveryState
  readonly nextAttemptAt: Micros
  readonly finishedAt: Micros | null
}

/** The receiver says that it will never want anything again: by status (RFC 9110, 15.5.11) or in so many words. */
export const isGone = ({ status, wish }: Outcome): boolean => status === 410 || wish === 'disable'

export function verdictOf(outcome: Outcome, { attempts, now, random, schedule }: Tried): Verdict {
  if (outcome.kind === 'ok') return { state: 'succeeded', nextAttemptAt: now, finishedAt: now }
  const retryAfter = readRetryAfter(outcome.retryAfter, now)
  const isUnwanted = isGone(outcome) || outcome.wish === 'abort-message'
  const again = isUnwanted ? undefined : nextAttempt({ attempts, now, random: random(), retryAfter, schedule })
  if (again === undefined) return { state: 'failed', nextAttemptAt: now, finishedAt: now }
  return { state: 'pending', nextAttemptAt: again, finishedAt: null }
}
