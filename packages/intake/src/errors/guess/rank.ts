import { remembered } from '../remembered.ts'
import type { Place } from './walk.ts'

/** How well the name of a location fits. 0 is best; null means no match. */
export type Rank = (place: Place) => number | null

/** The index of the first matching pattern is the rank. */
export const rankOf = (patterns: readonly RegExp[]): ((name: string) => number | null) =>
  remembered((name) => {
    const found = patterns.findIndex((pattern) => pattern.test(name))
    return found === -1 ? null : found
  })

/** Caches a result per report, because it is needed several times. */
export const oncePerReport = <Value>(tell: (places: readonly Place[]) => Value): typeof tell => {
  let latest: { readonly places: readonly Place[]; readonly value: Value } | undefined
  return (places) => {
    if (latest?.places !== places) latest = { places, value: tell(places) }
    return latest.value
  }
}

/** The value of the best location: the better name wins, then the one nearer to the top. */
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

/** A URL is neither a class nor a message. */
export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text)
