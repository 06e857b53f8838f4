/** How the members of a server behave after it is closed. */
export interface GuardedNames {
  /** Members that stop or only describe something, and that remain usable. */
  readonly always: readonly PropertyKey[]
  /** Async functions reject, others throw, so that a `catch` sees it. `path` is e.g. `admin.tickets.create`. */
  givesPromise(path: string): boolean
  /** Functions whose result is guarded like the server, with the name of the result. */
  resultOf?(path: string): string | undefined
}

const closed = () => new TypeError('This server is closed: start another one, or close it after its last use.')

/**
 * The same server, whose members throw a TypeError once it is closed. So no call revives it, and a test that uses a
 * closed server fails with a clear message. Members that were read before closing throw too.
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
    if (known !== undefined) return known as Group // created from this group
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
    if (typeof value === 'function') return guardFunction(value as Callable, at) // checked on this line
    return typeof value === 'object' && value !== null && !isGetter ? guard(value, at) : value
  }

  function guardFunction(act: Callable, path: string): Callable {
    const known = guarded.get(act)
    if (known !== undefined) return known as Callable // created from this function
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
