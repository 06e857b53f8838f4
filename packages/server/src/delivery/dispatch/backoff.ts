import { type Micros, microsPerSecond } from '../../core/clock.ts'

const minute = 60
const hour = 60 * minute

/** Seconds before each attempt, counted from the one before it. Ten attempts take 75 h 35 min. */
export const schedule = [
  0,
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** The schedule of a subscription: its own waits, written as JSON, or the platform's. */
export const scheduleOf = (waits: string | null): readonly number[] =>
  waits === null ? schedule : [0, ...(JSON.parse(waits) as number[])] // written by the subscription's service only

const jitter = 0.2

export interface BackoffInput {
  /** Attempts made so far, counted from the last time that somebody asked to send. */
  readonly attempts: number
  readonly now: Micros
  /** From 0 to 1. Without it, all that failed together would come back together. */
  readonly random: number
  readonly retryAfter: Micros | undefined
  readonly schedule?: readonly number[]
}

/** When to try again; undefined when the schedule is at its end. Never before the receiver wants it. */
export function nextAttempt({ attempts, now, random, retryAfter, schedule: own }: BackoffInput): Micros | undefined {
  const seconds = (own ?? schedule)[attempts]
  if (seconds === undefined) return undefined
  const wait = Math.round(seconds * microsPerSecond * (1 - jitter + 2 * jitter * random))
  return Math.max(now + wait, retryAfter ?? 0)
}
