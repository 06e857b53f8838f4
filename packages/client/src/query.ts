import type { QueryValue } from './call-options.ts'

/** Formats query parameters, including the question mark. Empty if there are none. */
export function toQuery(parameters: Readonly<Record<string, QueryValue>> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) append(query, name, value)
  return query.size > 0 ? `?${query}` : ''
}

function append(query: URLSearchParams, name: string, value: QueryValue): void {
  if (value === undefined || value === null) return
  if (isList(value)) for (const each of value) append(query, name, each)
  else query.append(name, value instanceof Date ? value.toISOString() : String(value))
}

// `Array.isArray` alone does not narrow a readonly list.
const isList = (value: QueryValue): value is readonly QueryValue[] => Array.isArray(value)
