import type { HeaderSource } from './options.ts'

const isFetchHeaders = (headers: HeaderSource): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function'

/** By its lower-case name. Comparing lengths before letters makes the search for what is not there nearly free. */
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
 * Finds a header. Node and most frameworks have lower-case keys already, so that is tried first. Callers without types pass
 * anything: numbers are read as text, and whatever else is no text counts as missing.
 */
export function findHeader(headers: HeaderSource | null | undefined, name: string): string | undefined {
  const source = headers ?? {}
  const value = isFetchHeaders(source) ? source.get(name) : search(source, name)
  // Some gateways have a list per name. Joined as Node joins them, what must be single matches nothing when it came twice.
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined
}
