import type { Fields } from './page-types.ts'

/** An address with a query string; what is empty is left out. */
export function addressWith(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** What a list is asked for now: the values of these names in its address. */
export const valuesOf = (query: Fields, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, query.text(name)]))
