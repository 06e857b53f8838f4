/** However often it is called, `work` runs once, and every caller waits for it. */
export function once(work: () => Promise<void>): { act(): Promise<void>; hasBegun(): boolean } {
  let acting: Promise<void> | undefined
  return {
    act() {
      acting ??= work()
      return acting
    },
    hasBegun: () => acting !== undefined,
  }
}
