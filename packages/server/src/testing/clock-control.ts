import { inspect } from 'node:util'
import { isDay } from '@service/contract'
import type { Clock, Micros } from '../core/clock.ts'
import { requireUnit } from '../core/instant-units.ts'
import { type ClockMoves, createClockMoves, type MoveParts, type Step } from './clock-moves.ts'
import { type Duration, toMicros } from './duration.ts'
import type { MovableClock } from './movable-clock.ts'

/** Controls the platform's time. Work that becomes due runs before a call resolves. Parallel calls wait for each other. */
export interface ClockControl {
  /** The platform's current time, in whole milliseconds. */
  now(): Date
  readonly isFrozen: boolean
  /** Sets the clock to an instant: ISO 8601 with an offset, a Date, or milliseconds since 1970. */
  set(at: Instant): Promise<void>
  /** Advances the clock, e.g. by `'25h'`: rate windows end, tokens expire, retries are sent, in order. */
  advance(by: Duration): Promise<void>
  /** Freezes the clock, now or at an instant. */
  freeze(at?: Instant): Promise<void>
  /** Lets the clock run again. */
  unfreeze(): void
}

/** ISO 8601 with an offset, milliseconds since 1970, or a Date. */
export type Instant = string | number | Date

/** Work that becomes due as time passes. */
export interface DueWork {
  nextDueAt(): Promise<Micros | undefined>
  runDue(): Promise<void>
}

/** A control whose moves end early when the server is reset or closes. */
export interface InterruptibleClock extends Pick<ClockMoves, 'interrupt' | 'interruptFor'> {
  readonly control: ClockControl
}

export function createClockControl(
  clock: Clock | MovableClock,
  { due, ...parts }: MoveParts & { readonly due: DueWork },
): InterruptibleClock {
  const { move, interrupt, interruptFor } = createClockMoves(parts)
  const movable = (): MovableClock => {
    if ('moveTo' in clock) return clock
    throw new TypeError('This server uses the clock passed in the option `clock`. Move that clock, or omit the option.')
  }

  /** Stops at each instant at which work becomes due, so that all work happens at its own time. */
  async function moveTo(target: Micros, step: Step): Promise<void> {
    const moved = movable()
    requireInRange(target)
    await step(due.runDue)
    let nextAt = await step(due.nextDueAt)
    while (nextAt !== undefined && nextAt <= target) {
      if (nextAt > moved.now()) moved.moveTo(nextAt)
      await step(due.runDue)
      const followingAt = await step(due.nextDueAt)
      if (followingAt === nextAt) break // work that fails, for example because the database is read-only, must not block the clock
      nextAt = followingAt
    }
    moved.moveTo(Math.max(target, moved.now()))
    await step(due.runDue)
  }

  async function setTo(at: Instant, step: Step): Promise<void> {
    const target = readInstant(at, 'at')
    if (target >= clock.now()) return moveTo(target, step)
    // Work that is due now would be in the future afterward.
    await step(due.runDue)
    movable().moveTo(target)
    await step(due.runDue)
  }

  return {
    interrupt,
    interruptFor,
    control: {
      now: () => new Date(Math.floor(clock.now() / 1000)),
      get isFrozen() {
        return 'isFrozen' in clock && clock.isFrozen
      },
      set: (at) => move((step) => setTo(at, step)),
      advance: (by) => move((step) => moveTo(movable().now() + toMicros(by, 'by'), step)),
      freeze: (at) =>
        move(async (step) => {
          if (at !== undefined) await setTo(at, step)
          movable().freeze()
          if (at !== undefined) movable().moveTo(readInstant(at, 'at'))
        }),
      unfreeze: () => movable().unfreeze(),
    },
  }
}

/** Throws a TypeError that names the option and shows the format of an instant. */
export function readInstant(at: Instant, name: string): Micros {
  if (typeof at === 'number') requireUnit(at, { name, unit: 'milliseconds' })
  const ms = toMs(at)
  if (Number.isFinite(ms)) return requireInRange(Math.round(ms * 1000))
  throw new TypeError(
    `\`${name}\` must be an instant: text such as '2026-01-01T00:00:00Z', a Date, or milliseconds since 1970; it was ${inspect(at)}.`,
  )
}

/** Whether it is an instant that the option `clock` accepts. */
export const isFixedTime = (at: unknown): at is string | Date => typeof at !== 'number' && Number.isFinite(toMs(at))

function toMs(at: unknown): number {
  if (typeof at === 'string') return parse(at)
  return typeof at === 'number' || at instanceof Date ? Number(at) : Number.NaN
}

/** Microseconds are exact until 2255, and the platform computes instants some years ahead. */
const latest = Date.UTC(2250, 0) * 1000

/** Checked before the clock is moved: outside of this range the platform would stop. */
function requireInRange(at: Micros): Micros {
  if (at >= 0 && at < latest) return at
  const given = new Date(at / 1000)
  const shown = Number.isNaN(given.getTime()) ? `${at / 1000} ms` : given.toISOString()
  throw new TypeError(
    `The clock accepts instants from 1970-01-01T00:00:00Z until before 2250-01-01T00:00:00Z; it was ${shown}.`,
  )
}

const offset = /(?:Z|[+-]\d\d:?\d\d)$/i

const parse = (text: string) =>
  /T/i.test(text) && offset.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
