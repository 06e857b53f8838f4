/** The names of a route's `{parameters}`. */
export const paramNamesIn = (path: string): string[] => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/**
 * Fills a route's `{parameters}`, from left to right. A dot segment would climb out of the path even when encoded,
 * because URL parsers decode `%2e` first. An empty segment would match another route. Both are rejected.
 */
export function fillPath(template: string, valueFor: (name: string) => unknown): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(valueFor(name) ?? '')
    if (/^(\.|%2e){0,2}$/i.test(value))
      throw new TypeError(`${name} ${value ? 'must not be "." or ".."' : 'is missing'}.`)
    return encodeURIComponent(value)
  })
}
