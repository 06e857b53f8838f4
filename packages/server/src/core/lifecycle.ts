/** Whether the server is stopping, which readiness tells to whoever sends requests here, and what it still has to finish. */
export interface Lifecycle {
  isDraining(): boolean
  drain(): void
  /** Calls `act` when the server begins to stop, for answers that would never end by themselves; gives back what calls it off. */
  onDrain(act: () => void): () => void
  /** Counts what a caller in this process waits for, so that the database is not closed below it. */
  during<Result>(work: Result | Promise<Result>): Promise<Result>
  /** Resolves when nothing that is counted is under way. */
  whenIdle(): Promise<void>
}

export function createLifecycle(): Lifecycle {
  let isDraining = false
  const waiting = new Set<() => void>()
  const underWay = new Set<Promise<unknown>>()
  return {
    isDraining: () => isDraining,
    drain() {
      isDraining = true
      for (const act of [...waiting]) act()
    },
    onDrain(act) {
      waiting.add(act)
      return () => void waiting.delete(act)
    },
    async during(work) {
      const working = Promise.resolve(work)
      underWay.add(working)
      try {
        return await working
      } finally {
        underWay.delete(working)
      }
    },
    async whenIdle() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
