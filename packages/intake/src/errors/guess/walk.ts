import { pairOf } from '../../paths/paths.ts'
import { excessOf } from '../../sanitise/json-excess.ts'
import { isObject, type JsonObject, keysOf } from '../json.ts'
import { nameTest } from '../remembered.ts'
import { plainName, startNaming } from './names.ts'

/** A value somewhere in a report, with the names that lead to it. */
export type Place = {
  /** Its normalized key. An entry of a list has the key of the list. */
  readonly key: string
  /** The key of the object or list that holds it; empty at the top. */
  readonly owner: string
  readonly depth: number
  readonly isListed: boolean
  readonly value: unknown
  readonly holder: JsonObject
}

const deepest = 6
const mostPlaces = 300
const mostKeys = 120
const mostEntries = 5
const longestKey = 60
const longestJson = 16_384
const mostTexts = 5

// A delivery may contain a thousand reports. Reading is synchronous, so one delivery at a time uses these budgets, and
// `startWalking` resets them for each body. Once they are spent, only the top level of a report is read.
const mostPlacesTogether = 15_000
const mostJsonTogether = 131_072

let placesLeft = mostPlacesTogether
let jsonLeft = mostJsonTogether

export const startWalking = (): void => {
  latest = undefined
  startNaming()
  placesLeft = mostPlacesTogether
  jsonLeft = mostJsonTogether
}

/** Histories, people, and machines: their content does not describe the error. */
const isForeign = nameTest(
  /^(?:breadcrumbs|user|users|device|os|browser|headers|cookies|author|committer|commits?|headcommit|repository|repo|sender|links|sdk|contexts?os|geo|session|query|querystring|env|environ|environmentvariables|modules|packages|dependencies|threads|assignee|assignees|owner|requester|creator|createdby|responders|members|avatar|image|images|actions|buttons|schema|config|webhook)$/,
)

/** `{name: 'severity', value: 'high'}` means `severity: 'high'`. */
const pairIn = (entry: unknown): readonly [string, unknown] | null => {
  const pair = isObject(entry) ? pairOf(entry) : null
  return pair === null || pair[0].length > longestKey || pair[1] === undefined ? null : pair
}

type Reading = { readonly places: Place[]; texts: number }

/** Parses JSON that was sent as text, if it is small. */
const unpacked = (value: unknown, reading: Reading): unknown => {
  if (typeof value !== 'string' || value.length > longestJson || !/^\s{0,9}[[{]["{\s]/.test(value)) return value
  if (reading.texts >= mostTexts || value.length > jsonLeft) return value
  jsonLeft -= value.length
  if (excessOf(value, { depth: 20, values: 500 }) !== null) return value
  reading.texts += 1
  try {
    return JSON.parse(value)
  } catch {
    // Text that only starts like JSON stays text.
    return value
  }
}

type Child = readonly [key: string, value: unknown, isListed: boolean]

const childrenOf = (place: Place): readonly Child[] => {
  const { value } = place
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value.slice(0, mostEntries)
    const pairs = value.slice(0, mostKeys).map(pairIn)
    const isPaired = pairs.length > 0 && pairs.every((pair) => pair !== null)
    if (isPaired) return pairs.flatMap((pair) => (pair === null ? [] : [[plainName(pair[0]), pair[1], false] as const]))
    return entries.map((entry) => [place.key, entry, true])
  }
  if (!isObject(value)) return []
  return keysOf(value)
    .slice(0, mostKeys)
    .filter((key) => key.length <= longestKey)
    .map((key) => [plainName(key), value[key], false])
}

const isWithin = (places: readonly Place[]): boolean => places.length < mostPlaces && placesLeft > 0

const walk = (report: JsonObject): readonly Place[] => {
  const reading: Reading = {
    places: [{ key: '', owner: '', depth: 0, isListed: false, value: report, holder: report }],
    texts: 0,
  }
  const { places } = reading
  // Breadth-first: the list grows during the walk.
  for (const place of places) {
    if (place.depth >= deepest || isForeign(place.key)) continue
    for (const child of childrenOf(place)) {
      if (!isWithin(places)) return places
      placesLeft -= 1
      places.push(placeOf(child, place, reading))
    }
  }
  return places
}

const placeOf = ([key, child, isListed]: Child, parent: Place, reading: Reading): Place => ({
  key,
  owner: isListed ? parent.owner : parent.key,
  depth: parent.depth + 1,
  isListed: isListed || parent.isListed,
  value: unpacked(child, reading),
  holder: isObject(parent.value) ? parent.value : parent.holder,
})

/** The last walked report, cached because it is first checked for an alert and then read. */
let latest: { readonly report: JsonObject; readonly places: readonly Place[] } | undefined

/** Every value of a report with its location, the top level first. Large values are visited in part. */
export const placesIn = (report: JsonObject): readonly Place[] => {
  if (latest?.report !== report) latest = { report, places: walk(report) }
  return latest.places
}
