import { after, type Clock, type Micros, systemClock } from '../clock.ts'

/** What a clock shows, for taking it up elsewhere. */
export interface ClockState {
  /** Present while time stands still. */
  readonly frozenAt?: Micros
  /** How far it is from the machine's clock while it runs. */
  readonly aheadBy: Micros
}

/** A clock that runs, stands still, and can be put forward or back. */
export interface MovableClock extends Clock {
  after(delayMs: number, act: () => void): () => void
  readonly isFrozen: boolean
  moveTo(at: Micros): void
  freeze(): void
  unfreeze(): void
  state(): ClockState
  adopt(state: ClockState): void
}

interface Alarm {
  readonly at: Micros
  readonly act: () => void
  callOff: () => void
}

export function movableClock(initial: ClockState = { aheadBy: 0 }): MovableClock {
  const machine = systemClock()
  const alarms = new Set<Alarm>()
  let state = initial

  /** Time that runs wakes by real timers; time that stands still wakes nobody. */
  function arm(alarm: Alarm): void {
    alarm.callOff()
    if (state.frozenAt !== undefined && alarm.at > state.frozenAt) return
    alarm.callOff = after(Math.max(0, (alarm.at - clock.now()) / 1000), () => {
      alarms.delete(alarm)
      alarm.act()
    })
  }

  function change(next: ClockState): void {
    state = next
    for (const alarm of alarms) arm(alarm)
  }

  const clock: MovableClock = {
    get isFrozen() {
      return state.frozenAt !== undefined
    },
    now: () => state.frozenAt ?? machine.now() + state.aheadBy,
    after(delayMs, act) {
      const alarm: Alarm = { at: clock.now() + Math.round(delayMs * 1000), act, callOff: () => undefined }
      alarms.add(alarm)
      arm(alarm)
      return () => {
        alarms.delete(alarm)
        alarm.callOff()
      }
    },
    moveTo(at) {
      const aheadBy = at - machine.now()
      change(state.frozenAt === undefined ? { aheadBy } : { frozenAt: at, aheadBy })
    },
    freeze: () => change({ ...state, frozenAt: clock.now() }),
    unfreeze() {
      if (state.frozenAt !== undefined) change({ aheadBy: state.frozenAt - machine.now() })
    },
    state: () => state,
    adopt: change,
  }
  return clock
}
