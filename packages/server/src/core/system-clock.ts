import { after, type Micros, machineTimeMs, microsPerSecond, type ServerClock, stopwatchMs } from './clock.ts'

/** The machine's two clocks. Tests replace them. */
export interface MachineClocks {
  /** Milliseconds since 1970 on the machine's clock. */
  readonly wallMs: () => number
  readonly elapsedMs: () => number
}

/** A smaller difference is drift; a larger one means that the clock was set. */
const step = 2 * microsPerSecond
const tolerated = microsPerSecond / 10

/**
 * The machine's clock. `now` follows changes of the wall clock, so that signatures carry the right time. The schedule
 * does not: after a jump of a day forward it would send every retry at once, and after a jump back none for a day.
 */
export function systemClock({ wallMs, elapsedMs }: MachineClocks = machineClocks): ServerClock {
  const passed = (): Micros => Math.round(elapsedMs() * 1000)
  const wall = (): Micros => Math.round(wallMs() * 1000)
  // Adding the elapsed time to a base gives the current time.
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
      // Readings are unique, and a small backward correction pauses time instead of reversing it.
      last = at > last || last - at > step ? at : last + 1
      return last
    },
    elapsedMs,
    scheduleNow: () => passed() + scheduleBase,
    toWall: (at) => at + wallBase - scheduleBase,
    // The reading was taken between request and response, so it gives an interval. Staying inside it avoids jitter.
    syncSchedule({ databaseTime, sentAtMs, receivedAtMs }) {
      isShared = true
      const earliest = databaseTime - Math.round(receivedAtMs * 1000)
      const latest = databaseTime - Math.round(sentAtMs * 1000)
      scheduleBase = Math.min(Math.max(scheduleBase, earliest), latest)
    },
    after,
  }
}

const machineClocks: MachineClocks = { wallMs: machineTimeMs, elapsedMs: stopwatchMs }
