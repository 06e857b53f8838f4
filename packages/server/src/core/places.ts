/** Counts what runs at once, so that no session, person, or workspace takes the places of others. */
export interface Places {
  /**
   * Takes a place in each share, or in none if one is full. The result frees them; further calls have no effect.
   * Undefined if a share is full.
   */
  take(shares: readonly Share[]): (() => void) | undefined
}

interface Share {
  /** Whose places these are, e.g. `export person 7`. */
  readonly owner: string
  readonly most: number
}

export function createPlaces(): Places {
  const taken = new Map<string, number>()
  const add = (owner: string, change: number) => {
    const count = (taken.get(owner) ?? 0) + change
    if (count === 0) taken.delete(owner)
    else taken.set(owner, count)
  }
  return {
    take(shares) {
      if (shares.some(({ owner, most }) => (taken.get(owner) ?? 0) >= most)) return undefined
      for (const { owner } of shares) add(owner, 1)
      let isTaken = true
      return () => {
        if (isTaken) for (const { owner } of shares) add(owner, -1)
        isTaken = false
      }
    },
  }
}
