/** What publishers ring when there is something to deliver, and the worker answers to. */
export interface Bell {
  /** The same function always, so that a transaction that asks for it ten times rings once. */
  readonly ring: () => void
  /** Who answers. Until somebody does, nobody hears it. */
  answeredBy(act: () => void): void
}

export function createBell(): Bell {
  let answer: (() => void) | undefined
  return {
    ring: () => answer?.(),
    answeredBy(act) {
      answer = act
    },
  }
}
