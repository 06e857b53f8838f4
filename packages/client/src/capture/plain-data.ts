const maxDepth = 4
const maxTextLength = 1_000
const maxEntries = 50

/**
 * Copies any thrown value so that it can be written as JSON: cycles, big integers, functions, getters that throw
 * and huge objects included. Long texts and lists are cut.
 */
export function toPlainData(value: unknown, above: readonly unknown[] = []): unknown {
  if (value === null || value === undefined || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (typeof value !== 'object') return cutText(String(value), maxTextLength)
  if (above.includes(value)) return '[circular]'
  if (above.length >= maxDepth) return '[…]'
  if (value instanceof Error || value instanceof Date) return tryRead(() => String(value))
  const inner = (part: unknown) => toPlainData(part, [...above, value])
  if (Array.isArray(value)) return value.slice(0, maxEntries).map(inner)
  const keys = tryRead(() => Object.keys(value)) ?? []
  const read = (key: string) => tryRead(() => (value as Record<string, unknown>)[key]) // a key of the object
  return Object.fromEntries(keys.slice(0, maxEntries).map((key) => [key, inner(read(key))]))
}

/** Cuts a text without splitting a surrogate pair. */
export const cutText = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text

/** Anything on a foreign object may throw: a getter, a proxy, `toString`. */
export function tryRead<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
