import { after, type Micros, machineTimeMs, microsPerSecond, type ServerClock, stopwatchMs } from './clock.ts'

/** The machine's two clocks; a test puts others in their place. */
export interface MachineClocks {
  /** Milliseconds since 1970, as the machine's clock is set. */
  readonly wallMs: () => number
  readonly elapsedMs: () => number
}

/** A difference below it is a clock that runs a little fast or slow; above it somebody has set the clock. */
const step = 2 * microsPerSecond
const tolerated = microsPerSecond / 10

/**
 * The machine's clock. `now` follows every setting of it, or signatures would carry a wrong time until the next start;
 * the schedule does not: set by a day it would send every retry at once, set back it would send none for a day.
 */
export function systemClock({ wallMs, elapsedMs }: MachineClocks = machineClocks): ServerClock {
  const passed = (): Micros => Math.round(elapsedMs() * 1000)
  const wall = (): Micros => Math.round(wallMs() * 1000)
  // Both are instants when added to what has passed.
  let wallBase = wall() - passed()
  let scheduleBase = wallBase
  let isShared = false
  let last = 0
  return {
    followsMachine: true,
    now() {
      const off = wall() - (passed() + wallBase)
      if (Math.abs(off) > tolerated) {
        wallBase += off
        if (Math.abs(off) < step && !isShared) scheduleBase += off
      }
      const at = passed() + wallBase
      // Two readings are never the same, and a small correction stands still rather than going back.
      last = at > last || last - at > step ? at : last + 1
      return last
    },
    elapsedMs,
    scheduleNow: () => passed() + scheduleBase,
    toWall: (at) => at + wallBase - scheduleBase,
    // The reading was taken in between, so what is possible is an interval; staying inside of it lets time not flutter.
    syncSchedule({ at, askedAtMs, answeredAtMs }) {
      isShared = true
      const earliest = at - Math.round(answeredAtMs * 1000)
      const latest = at - Math.round(askedAtMs * 1000)
      scheduleBase = Math.min(Math.max(scheduleBase, earliest), latest)
    },
    after,
  }
}

const machineClocks: MachineClocks = { wallMs: machineTimeMs, elapsedMs: stopwatchMs }
