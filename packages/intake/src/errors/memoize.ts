/** More names than one body can have. */
const maxEntries = 5_000

/** From this length on, V8 stores a substring as a slice, which keeps the whole text alive. */
const minSliceLength = 13

/** Copies a text, so that the cache does not keep the whole body alive. */
const copyText = (text: string): string => (text.length < minSliceLength ? text : JSON.parse(JSON.stringify(text)))

/** Caches a function of a name, because reports share the same few names. */
export const memoize = <Result>(compute: (name: string) => Result, limit = maxEntries): typeof compute => {
  const cache = new Map<string, { readonly result: Result }>()
  return (name) => {
    const known = cache.get(name)
    if (known !== undefined) return known.result
    const key = copyText(name)
    const result = compute(key)
    if (cache.size >= limit) cache.clear()
    cache.set(key, { result })
    return result
  }
}

/** Whether a name matches a pattern. Each name is tested once. */
export const nameTest = (pattern: RegExp): ((name: string) => boolean) => memoize((name) => pattern.test(name))
