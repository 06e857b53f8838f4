import type { HeaderSource } from './options.ts'

const isFetchHeaders = (headers: HeaderSource): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function'

/**
 * Finds a header by its lower-case name. Node and most frameworks have lower-case keys already, so that is tried first;
 * comparing lengths before letters makes the search for a header that is not there nearly free.
 */
export function findHeader(headers: HeaderSource, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined
  let value = headers[name]
  if (value === undefined) {
    for (const key in headers) {
      if (key.length === name.length && key.toLowerCase() === name) value = headers[key]
    }
  }
  // Some gateways have a list per name. Joined as Node joins them, what must be single matches nothing when it came twice.
  return typeof value === 'object' ? value.join(', ') : value
}
