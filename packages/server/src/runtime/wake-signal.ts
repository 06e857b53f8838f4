/** What publishers ring when there is something to deliver, and the worker answers to. */
export interface WakeSignal {
  /** The same function always, so that a transaction that asks for it ten times rings once. */
  readonly notify: () => void
  /** Who answers. Until somebody does, nobody hears it. */
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
