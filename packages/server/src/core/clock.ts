// The timers as they were when the server was loaded. A test that puts fake ones in their place (vitest's, sinon's) moves
// its own code's time, not that of the platform beside it, which has a clock of its own.
const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = globalThis

export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout }

const { now } = Date

/** Milliseconds since 1970 on the machine's clock, whatever a test has made of `Date`. */
export const machineTimeMs: () => number = now

export const stopwatchMs: () => number = performance.now.bind(performance)

/** Microseconds since 1970-01-01T00:00:00Z, always an integer. Every stored instant has this unit. */
export type Micros = number

export const microsPerSecond = 1_000_000
export const microsPerMinute = 60 * microsPerSecond
export const microsPerHour = 60 * microsPerMinute
export const microsPerDay = 24 * microsPerHour

/** Where the server takes the time from. Tests put their own in its place. */
export interface Clock {
  now(): Micros
  /** True while the clock is the machine's own, so that another machine's, such as the database's, may stand in for it. */
  readonly followsMachine?: boolean
  /**
   * Milliseconds that have passed since some fixed moment. It never goes back, and setting the machine's clock does not
   * move it; what is moved by hand moves it forward. Without it, whatever `now` has gone forward counts as passed.
   */
  elapsedMs?(): number
  /**
   * Calls `act` once, when that much time of this clock has passed; gives back what calls it off. A clock that is moved
   * by hand may leave it out: then nothing happens by itself, and whoever moves the clock says what is to be run.
   */
  after?(delayMs: number, act: () => void): () => void
}

/**
 * The time as the server uses it. Three readings, because a machine's clock may be set at any moment: what is stored for
 * people is wall time (`now`), windows and pauses within the process are measured (`elapsedMs`), and what is stored in
 * order to be done later goes by a time that is never set back while the process runs (`scheduleNow`).
 */
export interface ServerClock extends Clock {
  elapsedMs(): number
  /** By this due times are kept: the database's clock where several processes share one, else a steady one of our own. */
  scheduleNow(): Micros
  /** What the wall clock shows when the schedule is there. */
  toWall(at: Micros): Micros
  /** Sets the schedule by a clock that others share; absent where the time is moved by hand. */
  syncSchedule?(reading: ClockReading): void
}

interface ClockReading {
  readonly at: Micros
  readonly askedAtMs: number
  readonly answeredAtMs: number
}

/** A clock of an embedder's own is taken as it is: the due times follow it too, so that it can be moved by hand. */
export function toServerClock(clock: Clock): ServerClock {
  if (isServerClock(clock)) return clock
  const { elapsedMs, after } = clock
  return {
    now: () => clock.now(),
    elapsedMs: elapsedMs?.bind(clock) ?? forwardMovesOf(clock),
    scheduleNow: () => clock.now(),
    toWall: (at) => at,
    ...(after === undefined ? {} : { after: after.bind(clock) }),
  }
}

const isServerClock = (clock: Clock): clock is ServerClock => 'scheduleNow' in clock && 'toWall' in clock

function forwardMovesOf(clock: Clock): () => number {
  let last = clock.now()
  let passed = 0
  return () => {
    const now = clock.now()
    passed += Math.max(0, now - last)
    last = now
    return passed / 1000
  }
}

/** Node counts in 32 bits and calls at once what would be later. To wake early does no harm, as whoever wakes looks again. */
const longestTimerMs = 2 ** 31 - 1

const startTimer = (delayMs: number, act: () => void) => setTimeout(act, Math.min(delayMs, longestTimerMs))

/** Real time, also where the clock is moved by hand: a socket does not follow a test clock. Keeps no process alive. */
export function after(delayMs: number, act: () => void): () => void {
  const timer = startTimer(delayMs, act)
  timer.unref()
  return () => clearTimeout(timer)
}

/** The same for what somebody waits for: the process stays alive until it is called off or has come. */
export function deadline(delayMs: number, act: () => void): () => void {
  const timer = startTimer(delayMs, act)
  return () => clearTimeout(timer)
}

export function earliest(moments: readonly (Micros | undefined)[]): Micros | undefined {
  const known = moments.filter((at) => at !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

// Formatting a date through Date costs 75 µs for a list of 50 tickets. Days are kept as text, many of them: a list takes
// turns between the day of a creation and that of a change, so keeping only the last one helps little.
const dayPrefixes = new Map<number, string>()
const mostDays = 1000

/** `2026-11-20T18:51:53.123456Z`, as answers show instants. */
export function formatInstant(micros: Micros): string {
  const day = Math.floor(micros / microsPerDay)
  const rest = micros - day * microsPerDay
  const seconds = Math.floor(rest / microsPerSecond)
  const fraction = String(rest - seconds * microsPerSecond).padStart(6, '0')
  return `${dayPrefix(day)}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}Z`
}

function dayPrefix(day: number): string {
  const known = dayPrefixes.get(day)
  if (known !== undefined) return known
  if (dayPrefixes.size >= mostDays) dayPrefixes.clear()
  const prefix = `${toDay(day * microsPerDay)}T`
  dayPrefixes.set(day, prefix)
  return prefix
}

export const formatInstantOrNull = (micros: Micros | null) => (micros === null ? null : formatInstant(micros))

/** `2026-11-20T18:51:53+00:00`, as outbound events show instants. */
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

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
