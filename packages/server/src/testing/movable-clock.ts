import { after, type Micros, type ServerClock } from '../core/clock.ts'
import { systemClock } from '../core/system-clock.ts'

/** The state of a clock. */
export interface ClockState {
  /** Present while the clock is frozen. */
  readonly frozenAt?: Micros
  /** The offset from the system clock while it runs. */
  readonly aheadBy: Micros
}

/** A clock that can be frozen and moved in both directions. */
export interface MovableClock extends ServerClock {
  after(delayMs: number, run: () => void): () => void
  readonly isFrozen: boolean
  moveTo(at: Micros): void
  freeze(): void
  unfreeze(): void
  state(): ClockState
  adopt(state: ClockState): void
}

interface Timer {
  readonly dueAt: Micros
  readonly run: () => void
  cancel: () => void
}

/**
 * Follows the system clock until it is moved. After that, wall time and schedule time are equal, so that work becomes
 * due when the clock is moved to its instant.
 */
export function movableClock(initial: ClockState = { aheadBy: 0 }, machine: ServerClock = systemClock()): MovableClock {
  const timers = new Set<Timer>()
  let state = initial
  let passedMs = 0
  let countedFromMs = machine.elapsedMs()

  function clockTime(): Micros {
    return state.frozenAt ?? machine.scheduleNow() + state.aheadBy
  }

  const isMoved = () => state.frozenAt !== undefined || state.aheadBy !== 0

  /** Measured by the system clock while running. */
  const elapsedMs = () => (state.frozenAt === undefined ? passedMs + machine.elapsedMs() - countedFromMs : passedMs)

  /** A running clock uses real timers; a frozen clock has none. */
  function arm(timer: Timer): void {
    timer.cancel()
    if (state.frozenAt !== undefined && timer.dueAt > state.frozenAt) return
    timer.cancel = after(Math.max(0, (timer.dueAt - clockTime()) / 1000), () => {
      timers.delete(timer)
      timer.run()
    })
  }

  /** Elapsed time increases when the clock moves forward, and stays the same when it moves back. */
  function change(next: ClockState): void {
    passedMs = elapsedMs()
    countedFromMs = machine.elapsedMs()
    const before = clockTime()
    state = next
    passedMs += Math.max(0, clockTime() - before) / 1000
    for (const timer of timers) arm(timer)
  }

  const clock: MovableClock = {
    get isFrozen() {
      return state.frozenAt !== undefined
    },
    get followsMachine() {
      return !isMoved()
    },
    now: () => (isMoved() ? clockTime() : machine.now()),
    elapsedMs,
    scheduleNow: clockTime,
    toWall: (at) => (isMoved() ? at : machine.toWall(at)),
    syncSchedule({ databaseTime, sentAtMs, receivedAtMs }) {
      if (isMoved()) return
      // The system's monotonic clock has another origin.
      const offMs = machine.elapsedMs() - elapsedMs()
      machine.syncSchedule?.({ databaseTime, sentAtMs: sentAtMs + offMs, receivedAtMs: receivedAtMs + offMs })
    },
    after(delayMs, run) {
      const timer: Timer = { dueAt: clockTime() + Math.round(delayMs * 1000), run, cancel: () => undefined }
      timers.add(timer)
      arm(timer)
      return () => {
        timers.delete(timer)
        timer.cancel()
      }
    },
    moveTo(at) {
      const aheadBy = at - machine.scheduleNow()
      change(state.frozenAt === undefined ? { aheadBy } : { frozenAt: at, aheadBy })
    },
    freeze: () => change({ ...state, frozenAt: clock.now() }),
    unfreeze() {
      if (state.frozenAt !== undefined) change({ aheadBy: state.frozenAt - machine.scheduleNow() })
    },
    state: () => state,
    adopt: change,
  }
  return clock
}
