/** What of a server behaves how once it is closed. */
export interface GuardedNames {
  /** These end something or only tell of it, and may be asked at any time. */
  readonly always: readonly PropertyKey[]
  /** Functions that give promises reject, where others throw, so that a `catch` sees it. `path` is `admin.tickets.create`. */
  givesPromise(path: string): boolean
  /** Functions whose result is guarded like the server itself, and under which name. */
  resultOf?(path: string): string | undefined
}

const closed = () =>
  new TypeError('This server is closed: start another one, or close it after the last thing that uses it.')

/**
 * The same server, of which nothing can be asked any more once it is closed: whatever is called is a TypeError, so that
 * nothing revives it and a test that has lost its server is told so. What was taken out of it before is refused too.
 */
export function refuseAfterClose<Guarded extends object>(
  server: Guarded,
  isClosed: () => boolean,
  { always, givesPromise, resultOf }: GuardedNames,
): Guarded {
  const guarded = new WeakMap<object, object>()
  const isAlways = new Set(always)

  function guard<Group extends object>(group: Group, path: string): Group {
    const known = guarded.get(group)
    if (known !== undefined) return known as Group // it was made from this very group
    const proxy = new Proxy(group, { get: (target, key) => read(target, key, path) })
    guarded.set(group, proxy)
    return proxy
  }

  function read(target: object, key: PropertyKey, path: string): unknown {
    if (typeof key === 'symbol' || isAlways.has(key)) return Reflect.get(target, key)
    const isGetter = Object.getOwnPropertyDescriptor(target, key)?.get !== undefined
    if (isGetter && isClosed()) throw closed()
    const value: unknown = Reflect.get(target, key)
    const at = path === '' ? String(key) : `${path}.${String(key)}`
    if (typeof value === 'function') return guardFunction(value as Callable, at) // just asked
    return typeof value === 'object' && value !== null && !isGetter ? guard(value, at) : value
  }

  function guardFunction(act: Callable, path: string): Callable {
    const known = guarded.get(act)
    if (known !== undefined) return known as Callable // it was made from this very function
    const resultName = resultOf?.(path)
    const guardedAct: Callable = (...given) => {
      if (!isClosed()) return resultName === undefined ? act(...given) : guard(Object(act(...given)), resultName)
      if (givesPromise(path)) return Promise.reject(closed())
      throw closed()
    }
    guarded.set(act, guardedAct)
    return guardedAct
  }

  return guard(server, '')
}

type Callable = (...given: readonly unknown[]) => unknown
