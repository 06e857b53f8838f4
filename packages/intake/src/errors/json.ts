import { isRecord, type JsonRecord } from '../sanitize/json-path.ts'

/**
 * The value at the end of the path, or undefined. Reads only own properties, so that `constructor` or
 * `__proto__` does not reach JavaScript's prototypes. A number is a list index; -1 is the last entry.
 */
export const at = (source: unknown, ...path: readonly (string | number)[]): unknown => {
  let value = source
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value.at(step) : undefined
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

/** The first of these keys with a value. Clients and their versions use different names. */
export const pick = (source: unknown, ...keys: readonly string[]): unknown => {
  if (!isRecord(source)) return undefined
  for (const key of keys) {
    const value = source[key]
    // Most keys are missing, so reading the value first is faster than `hasOwn`.
    if (value !== undefined && value !== null && value !== '' && Object.hasOwn(source, key)) return value
  }
  return undefined
}

let latest: { readonly source: JsonRecord; readonly keys: readonly string[] } | undefined

/** The names in an object. Cached, because readers use those of the current report repeatedly. */
export const keysOf = (source: JsonRecord): readonly string[] => {
  if (latest?.source !== source) latest = { source, keys: Object.keys(source) }
  return latest.keys
}

const ranks = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** The index of each key in a constant list. */
const ranksOf = (keys: readonly string[]): ReadonlyMap<string, number> => {
  const known = ranks.get(keys)
  if (known !== undefined) return known
  const rankOf = new Map(keys.map((key, rank) => [key, rank] as const))
  ranks.set(keys, rankOf)
  return rankOf
}

const noKeys: readonly string[] = []

/** The keys of a constant list that an object has, in list order. Most objects are smaller than such lists. */
export const keysIn = (source: unknown, keys: readonly string[]): readonly string[] => {
  if (!isRecord(source)) return noKeys
  const rankOf = ranksOf(keys)
  const found = keysOf(source).filter((key) => rankOf.has(key))
  return found.length < 2 ? found : inOrder(found, rankOf)
}

const inOrder = (found: string[], rankOf: ReadonlyMap<string, number>): readonly string[] =>
  found.sort((a, b) => (rankOf.get(a) ?? 0) - (rankOf.get(b) ?? 0))

/** `pick` for a constant list. */
export const pickFrom = (source: unknown, keys: readonly string[]): unknown => pick(source, ...keysIn(source, keys))

export const has = (source: unknown, key: string): boolean => isRecord(source) && Object.hasOwn(source, key)

/** Some text, or null. A number counts as text (a code, a message of 42); blank text does not. */
export const toText = (value: unknown): string | null => {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** A non-negative integer, as a number or as text ("12"). */
export const toNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\s{0,9}\d{1,15}\s{0,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** The largest line number. Longer numbers would be masked as card numbers. */
const maxLines = 2 ** 31

/** Lines start at one; some senders use zero for unknown. */
export const toLine = (value: unknown): number | null => {
  const line = toNumber(value)
  return line !== null && line > 0 && line < maxLines ? line : null
}

export const toStatus = (value: unknown): number | null => {
  const status = toNumber(value)
  return status !== null && status >= 100 && status <= 599 ? status : null
}

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The objects of a list. Some clients send a single object instead of a list of one. */
export const toObjects = (value: unknown): readonly JsonRecord[] =>
  isRecord(value) ? [value] : toList(value).filter(isRecord)

/** The name of something that is either text or an object with a name. */
export const nameOf = (value: unknown): string | null => toText(isRecord(value) ? pick(value, 'name', 'slug') : value)
