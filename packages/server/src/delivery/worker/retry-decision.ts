import { readRetryAfter } from '@service/contract/retry-after'
import { type Micros, microsPerDay, microsPerSecond } from '../../core/clock.ts'
import { schedule } from '../queues/retry-schedule.ts'
import type { DeliveryState } from '../table.ts'
import type { Outcome } from './outcome.ts'

export interface AttemptResult {
  /** Attempts including this one, counted from the last manual resend. */
  readonly attempts: number
  /** On the schedule's clock. `wallNow` is the wall clock, which a date in `Retry-After` refers to. */
  readonly now: Micros
  readonly wallNow: Micros
  /** From 0 to 1; called only if there is a wait to jitter. */
  readonly random: () => number
  readonly schedule: readonly number[]
}

export interface RetryDecision {
  readonly state: DeliveryState
  readonly nextAttemptAt: Micros
  readonly finishedAt: Micros | null
}

/** Whether the receiver refuses all further events: with status 410 (RFC 9110, 15.5.11) or with the directive. */
export const isGone = ({ status, directive }: Outcome): boolean => status === 410 || directive === 'disable'

export function decideRetry(
  outcome: Outcome,
  { attempts, now, wallNow, random, schedule }: AttemptResult,
): RetryDecision {
  if (outcome.kind === 'ok') return { state: 'succeeded', nextAttemptAt: now, finishedAt: wallNow }
  const retryAt = retryAfterTime(outcome.retryAfter, wallNow)
  const retryAfter = retryAt === undefined ? undefined : retryAt - wallNow + now
  const isRefused = isGone(outcome) || outcome.directive === 'abort-message'
  const next = isRefused ? undefined : nextAttempt({ attempts, now, random: random(), retryAfter, schedule })
  if (next === undefined) return { state: 'failed', nextAttemptAt: now, finishedAt: wallNow }
  return { state: 'pending', nextAttemptAt: next, finishedAt: null }
}

/** Parses `Retry-After`, limited to one day ahead. An invalid value is ignored. */
export function retryAfterTime(retryAfter: string | undefined, now: Micros): Micros | undefined {
  const waitMs = readRetryAfter(retryAfter, now / 1000)
  return waitMs === undefined ? undefined : now + Math.min(Math.round(waitMs * 1000), microsPerDay)
}

const jitter = 0.2

export interface BackoffInput {
  /** Attempts made so far, counted from the last manual resend. */
  readonly attempts: number
  readonly now: Micros
  /** From 0 to 1. Adds jitter, so that deliveries that failed together are not retried together. */
  readonly random: number
  readonly retryAfter: Micros | undefined
  readonly schedule?: readonly number[]
}

/** When to retry, never before the receiver's `Retry-After`; undefined at the end of the schedule. */
export function nextAttempt({ attempts, now, random, retryAfter, schedule: own }: BackoffInput): Micros | undefined {
  const seconds = (own ?? schedule)[attempts]
  if (seconds === undefined) return undefined
  const wait = Math.round(seconds * microsPerSecond * (1 - jitter + 2 * jitter * random))
  return Math.max(now + wait, retryAfter ?? 0)
}
