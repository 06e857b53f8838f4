/** Whether the server is stopping; readiness tells it to whoever sends requests here. */
export interface Lifecycle {
  isDraining(): boolean
  drain(): void
  /** Calls `act` when the server begins to stop, for answers that would never end by themselves; gives back what calls it off. */
  onDrain(act: () => void): () => void
}

export function createLifecycle(): Lifecycle {
  let isDraining = false
  const waiting = new Set<() => void>()
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
  }
}
