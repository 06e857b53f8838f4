import type { HeaderSource } from './options.ts'

/** Expects a lower-case name. Comparing lengths first makes the search for a missing header nearly free. */
function search(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  let value = headers[name]
  if (value === undefined) {
    for (const key in headers) {
      if (key.length === name.length && key.toLowerCase() === name) value = headers[key]
    }
  }
  return value
}

/**
 * Finds a header. Tries the lower-case key first, which Node and most frameworks use. Untyped callers pass anything:
 * numbers are read as text, and any other value that is not a string counts as missing.
 */
export function findHeader(headers: HeaderSource | null | undefined, name: string): string | undefined {
  const source = headers ?? {}
  const value = typeof source.get === 'function' ? source.get(name) : search(source, name)
  // Some gateways pass a list per name, others join repeated headers. Two different values match nothing.
  const text = Array.isArray(value) ? value.join(', ') : value
  return typeof text === 'string' || typeof text === 'number' ? withoutCopy(`${text}`) : undefined
}

/** `a` for `a,a` and `a, a`. */
function withoutCopy(value: string): string {
  const [first = '', second, third] = value.split(/, ?/, 3)
  return first === second && !third ? first : value
}
