import { clearTimeout, machineTimeMs, setTimeout } from './real-timers.ts'

/** Microseconds since 1970-01-01T00:00:00Z, always an integer. Every stored instant has this unit. */
export type Micros = number

export const microsPerSecond = 1_000_000
export const microsPerMinute = 60 * microsPerSecond
export const microsPerHour = 60 * microsPerMinute
export const microsPerDay = 24 * microsPerHour

/** Where the server takes the time from. Tests put their own in its place. */
export interface Clock {
  now(): Micros
  /**
   * Calls `act` once, when that much time of this clock has passed; gives back what calls it off. A clock that is moved
   * by hand may leave it out: then nothing happens by itself, and whoever moves the clock says what is to be run.
   */
  after?(delayMs: number, act: () => void): () => void
}

/** The machine's clock; never steps back within a process, so that "newest first" follows the order of writes. */
export function systemClock(): Clock {
  let last = 0
  return {
    now() {
      last = Math.max(last + 1, machineTimeMs() * 1000)
      return last
    },
    after,
  }
}

/** Real time, also where the clock is moved by hand: a socket cannot be told to hurry. Keeps no process alive. */
export function after(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/** The same for what somebody waits for: the process stays alive until it is called off or has come. */
export function deadline(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs)
  return () => clearTimeout(timer)
}
