/** Microseconds since 1970-01-01T00:00:00Z, always an integer. Every stored instant has this unit. */
export type Micros = number

export const microsPerSecond = 1_000_000
export const microsPerMinute = 60 * microsPerSecond
export const microsPerHour = 60 * microsPerMinute
export const microsPerDay = 24 * microsPerHour

/** Where the server takes the time from. Tests put their own in its place. */
export interface Clock {
  now(): Micros
}

/** The machine's clock; never steps back within a process, so that "newest first" follows the order of writes. */
export function systemClock(): Clock {
  let last = 0
  return {
    now() {
      last = Math.max(last + 1, Date.now() * 1000)
      return last
    },
  }
}
