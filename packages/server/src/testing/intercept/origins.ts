/** One origin or several, e.g. `https://api.example.com`. */
export type Origins = string | readonly string[]

/** As URLs spell them. Throws a TypeError for anything that is more or less than an origin. */
export function readOrigins(origins: Origins): ReadonlySet<string> {
  const list = typeof origins === 'string' ? [origins] : origins
  if (list.length === 0) throw new TypeError('Name at least one origin, e.g. https://api.example.com.')
  return new Set(list.map(readOrigin))
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url?.origin.startsWith('http') === true && url.pathname === '/' && url.search === ''
  if (url !== undefined && isOrigin) return url.origin
  throw new TypeError(`An origin is a scheme and a host, e.g. https://api.example.com; it was ${JSON.stringify(text)}.`)
}
