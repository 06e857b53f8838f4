import type { Place } from './walk.ts'

/** How well the name of a place fits, the best being 0; null when it does not. */
export type Rank = (place: Place) => number | null

/** The first pattern that fits names the rank. */
export const rankOf = (patterns: readonly RegExp[]) => {
  // The same few names come in every report.
  const judged = new Map<string, number | null>()
  return (name: string): number | null => {
    const known = judged.get(name)
    if (known !== undefined) return known
    const found = patterns.findIndex((pattern) => pattern.test(name))
    const rank = found === -1 ? null : found
    if (judged.size >= 1_000) judged.clear()
    judged.set(name, rank)
    return rank
  }
}

/** What the best place holds: the better name wins, then the one that is nearer to the top. */
export const best = <Value>(
  places: readonly Place[],
  rank: Rank,
  read: (place: Place) => Value | null,
): Value | null => {
  let found: { readonly rank: number; readonly value: Value } | null = null
  for (const place of places) {
    const own = rank(place)
    if (own === null) continue
    const total = own * 10 + place.depth
    if (found !== null && found.rank <= total) continue
    const value = read(place)
    if (value !== null) found = { rank: total, value }
  }
  return found?.value ?? null
}

/** An address names no class and says no sentence. */
export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text)
