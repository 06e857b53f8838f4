/** Wakes the worker when there is something to deliver. */
export interface WakeSignal {
  /** The same function always, so that a transaction that asks for it ten times notifies once. */
  readonly notify: () => void
  /** Sets the one listener; a notification before that is lost. */
  onNotify(act: () => void): void
}

export function createWakeSignal(): WakeSignal {
  let answer: (() => void) | undefined
  return {
    notify: () => answer?.(),
    onNotify(act) {
      answer = act
    },
  }
}
