/** Reading JSON that anybody may have written: every step may be missing, null or of another type than it should be. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * What stands at the end of the path, or undefined. Own properties only, so that a key such as `constructor` or
 * `__proto__` finds what the sender wrote and nothing of JavaScript's. A number steps into a list; -1 is its last.
 */
export const at = (source: unknown, ...path: readonly (string | number)[]): unknown => {
  let value = source
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value.at(step) : undefined
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

/** The first of these keys that holds something: clients and their versions name one thing differently. */
export const pick = (source: unknown, ...keys: readonly string[]): unknown => {
  if (!isObject(source)) return undefined
  for (const key of keys) {
    const value = source[key]
    // Most keys are not there, so what stands there is looked at before whose it is.
    if (value !== undefined && value !== null && value !== '' && Object.hasOwn(source, key)) return value
  }
  return undefined
}

let latest: { readonly source: JsonObject; readonly keys: readonly string[] } | undefined

/** The names in an object. Those of the report that is being read are asked for again and again. */
export const keysOf = (source: JsonObject): readonly string[] => {
  if (latest?.source !== source) latest = { source, keys: Object.keys(source) }
  return latest.keys
}

const ranks = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** Where each key stands in a list that never changes. */
const ranksOf = (keys: readonly string[]): ReadonlyMap<string, number> => {
  const known = ranks.get(keys)
  if (known !== undefined) return known
  const made = new Map(keys.map((key, rank) => [key, rank] as const))
  ranks.set(keys, made)
  return made
}

const noKeys: readonly string[] = []

/** Those keys of a constant list that an object has, in the order of the list. Most objects are smaller than such lists. */
export const keysIn = (source: unknown, keys: readonly string[]): readonly string[] => {
  if (!isObject(source)) return noKeys
  const rankOf = ranksOf(keys)
  const found = keysOf(source).filter((key) => rankOf.has(key))
  return found.length < 2 ? found : inOrder(found, rankOf)
}

const inOrder = (found: string[], rankOf: ReadonlyMap<string, number>): readonly string[] =>
  found.sort((one, other) => (rankOf.get(one) ?? 0) - (rankOf.get(other) ?? 0))

/** As `pick`, for a constant list. */
export const pickOf = (source: unknown, keys: readonly string[]): unknown => pick(source, ...keysIn(source, keys))

export const has = (source: unknown, key: string): boolean => isObject(source) && Object.hasOwn(source, key)

/** Some text, or null. A number counts as text (a code, a message of 42); blank text does not. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** A whole number that is not negative, also when it was sent as text ("12"). */
export const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\s{0,9}\d{1,15}\s{0,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** Of no file. Longer numbers would be masked as what they may be, those of a card. */
const mostLines = 2 ** 31

/** Lines are counted from one; a zero is how some say that they do not know. */
export const lineOf = (value: unknown): number | null => {
  const line = numberOf(value)
  return line !== null && line > 0 && line < mostLines ? line : null
}

export const statusOf = (value: unknown): number | null => {
  const status = numberOf(value)
  return status !== null && status >= 100 && status <= 599 ? status : null
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The objects of a list. A single object stands for a list of one, as some clients send it. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  isObject(value) ? [value] : listOf(value).filter(isObject)

/** The name of a thing that is either written as text or as an object with a name. */
export const nameOf = (value: unknown): string | null => textOf(isObject(value) ? pick(value, 'name', 'slug') : value)
