/** Creates a value, such as a file, on its first use and caches it. A failure is not cached, so a later use can succeed. */
export function lazily<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    value ??= create().catch((fault) => {
      value = undefined
      throw fault
    })
    return value
  }
}
