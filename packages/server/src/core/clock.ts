import timers from 'node:timers'
import { runInNewContext } from 'node:vm'

// Real time. Fake timers of a test (Vitest, Jest, Sinon) move the time of the test's own code, not the platform's, which
// has a separate clock. A set-up file may replace the globals before this file is loaded, so nothing here reads them.

export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers

// Sinon's functions have a clock, and those of `mock.timers` are bound.
for (const timer of [setImmediate, setInterval, setTimeout]) {
  if (!Object.hasOwn(timer, 'clock') && !timer.name.startsWith('bound')) continue
  throw new TypeError(
    'Fake timers replaced `node:timers` before @service/server was loaded. Import @service/server first, or install them without `fakeNodeBuiltins` (Vitest).',
  )
}

/** Milliseconds since 1970 on the machine's clock. A new realm has its own `Date`. */
export const machineTimeMs: () => number = runInNewContext('Date.now')

/** Monotonic milliseconds. Fake timers replace `performance.now` and `process.hrtime`. */
export const stopwatchMs = (): number => process.uptime() * 1000

/** Microseconds since 1970-01-01T00:00:00Z, always an integer. Every stored instant uses this unit. */
export type Micros = number

export const microsPerSecond = 1_000_000
export const microsPerMinute = 60 * microsPerSecond
export const microsPerHour = 60 * microsPerMinute
export const microsPerDay = 24 * microsPerHour

/** The server's source of time. Tests replace it. */
export interface Clock {
  /** Microseconds since 1970, an integer: `Date.now() * 1000`, not `Date.now()`. */
  now(): Micros
  /** True for the machine's clock, which a shared database's clock may replace. */
  readonly followsMachine?: boolean
  /**
   * Monotonic milliseconds since a fixed moment. Changes to the machine's clock do not affect it; moving a manual clock
   * forward advances it. If omitted, forward moves of `now` count as elapsed time.
   */
  elapsedMs?(): number
  /**
   * Calls `act` once after that much time of this clock, and returns a function that cancels it. A manual clock may
   * omit it: then timers never fire by themselves, and the caller that moves the clock runs due work.
   */
  after?(delayMs: number, callback: () => void): () => void
}

/**
 * The server's clock has three readings, because the machine's clock may be set at any moment. Times stored for people
 * are wall time (`now`). Intervals within the process are monotonic (`elapsedMs`). Stored due times use a schedule that
 * never goes back while the process runs (`scheduleNow`).
 */
export interface ServerClock extends Clock {
  elapsedMs(): number
  /** The clock for due times: a shared database's clock, else a steady local one. */
  scheduleNow(): Micros
  /** The wall time of an instant on the schedule. */
  toWall(at: Micros): Micros
  /** Adjusts the schedule to a shared clock; absent for a manual clock. */
  syncSchedule?(reading: ClockReading): void
}

interface ClockReading {
  readonly databaseTime: Micros
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

/** An embedder's clock is used unchanged. Due times follow it too, so that it can be moved by hand. */
export function toServerClock(clock: Clock): ServerClock {
  if (isServerClock(clock)) return clock
  const { elapsedMs, after } = clock
  return {
    now: () => clock.now(),
    elapsedMs: elapsedMs?.bind(clock) ?? countForwardMoves(clock),
    scheduleNow: () => clock.now(),
    toWall: (at) => at,
    ...(after === undefined ? {} : { after: after.bind(clock) }),
  }
}

const isServerClock = (clock: Clock): clock is ServerClock => 'scheduleNow' in clock && 'toWall' in clock

function countForwardMoves(clock: Clock): () => number {
  let last = clock.now()
  let passed = 0
  return () => {
    const now = clock.now()
    passed += Math.max(0, now - last)
    last = now
    return passed / 1000
  }
}

/** Node limits timers to 32 bits and fires longer ones at once. Waking early is harmless: callers check again. */
const maxTimerMs = 2 ** 31 - 1

const startTimer = (delayMs: number, callback: () => void) => setTimeout(callback, Math.min(delayMs, maxTimerMs))

/** A real-time timer, even with a manual clock: sockets do not follow a test clock. Does not keep the process alive. */
export function after(delayMs: number, act: () => void): () => void {
  const timer = startTimer(delayMs, act)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Like `after`, but keeps the process alive until it fires or is canceled. */
export function deadline(delayMs: number, act: () => void): () => void {
  const timer = startTimer(delayMs, act)
  return () => clearTimeout(timer)
}

export function earliest(moments: readonly (Micros | undefined)[]): Micros | undefined {
  const known = moments.filter((at) => at !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

// Formatting through Date takes 75 µs for a list of 50 tickets, so days are cached as text. Lists alternate between
// creation and update days, so caching only the last day helps little.
const dayPrefixes = new Map<number, string>()
const maxCachedDays = 1000

/** `2026-11-20T18:51:53.123456Z`, the format of instants in responses. */
export function formatInstant(micros: Micros): string {
  const day = Math.floor(micros / microsPerDay)
  const rest = micros - day * microsPerDay
  const seconds = Math.floor(rest / microsPerSecond)
  const fraction = String(rest - seconds * microsPerSecond).padStart(6, '0')
  return `${dayPrefix(day)}${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}.${fraction}Z`
}

function dayPrefix(day: number): string {
  const known = dayPrefixes.get(day)
  if (known !== undefined) return known
  if (dayPrefixes.size >= maxCachedDays) dayPrefixes.clear()
  const prefix = `${toDay(day * microsPerDay)}T`
  dayPrefixes.set(day, prefix)
  return prefix
}

export const formatInstantOrNull = (micros: Micros | null) => (micros === null ? null : formatInstant(micros))

/** The inverse of `formatInstant`, exact to the millisecond. */
export const parseInstant = (text: string): Micros => Date.parse(text) * 1000
export const parseInstantOrUndefined = (text?: string) => (text === undefined ? undefined : parseInstant(text))

/** `2026-11-20T18:51:53+00:00`, the format of instants in outbound events. */
export function formatEventTimestamp(micros: Micros): string {
  return `${formatInstant(micros).slice(0, 19)}+00:00`
}

/** `2026-11-20`: the UTC day of an instant. */
export function toDay(micros: Micros): string {
  return new Date(Math.floor(micros / 1000)).toISOString().slice(0, 10)
}

/** Midnight UTC of a `YYYY-MM-DD` day. */
export function fromDay(day: string): Micros {
  return Date.parse(`${day}T00:00:00Z`) * 1000
}

export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
