import { remembered } from '../remembered.ts'
import type { Place } from './walk.ts'

/** How well the name of a place fits, the best being 0; null when it does not. */
export type Rank = (place: Place) => number | null

/** The first pattern that fits names the rank. */
export const rankOf = (patterns: readonly RegExp[]): ((name: string) => number | null) =>
  remembered((name) => {
    const found = patterns.findIndex((pattern) => pattern.test(name))
    return found === -1 ? null : found
  })

/** What is told of the places of a report is asked for several times while the report is read. */
export const oncePerReport = <Value>(tell: (places: readonly Place[]) => Value): typeof tell => {
  let latest: { readonly places: readonly Place[]; readonly value: Value } | undefined
  return (places) => {
    if (latest?.places !== places) latest = { places, value: tell(places) }
    return latest.value
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
