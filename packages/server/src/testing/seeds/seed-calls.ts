import { SeedError } from './seed.ts'

/** The calls of a seed function. They belong to its transaction, so none may start or go on after the function ends. */
export interface SeedCalls {
  /** The same functions. Once the seed has ended, they reject. */
  guard<Group extends object>(group: Group, path: string): Group
  /** Runs the function and waits for all of its calls. Throws a SeedError if it did not await one. */
  run(seed: () => unknown): Promise<unknown>
}

interface SeedCall {
  readonly path: string
  readonly done: Promise<void>
  isRunning: boolean
  /** Whether the seed function has awaited its result, or attached a handler. */
  isRead: boolean
  failure?: unknown
}

type Callable = (...given: readonly unknown[]) => PromiseLike<unknown>

export function createSeedCalls(): SeedCalls {
  const calls = new Set<SeedCall>()
  let hasEnded = false

  function start(path: string, act: () => PromiseLike<unknown>): unknown {
    if (hasEnded) return Promise.reject(new TypeError('The seed has ended. Await each creation in the seed function.'))
    const result = act()
    const done = result.then(
      () => void calls.delete(call),
      (failure: unknown) => {
        call.isRunning = false
        call.failure = failure
      },
    )
    const call: SeedCall = { path, done: Promise.resolve(done), isRunning: true, isRead: false }
    calls.add(call)
    return noteRead(result, call)
  }

  const guard = <Group extends object>(group: Group, path: string): Group =>
    new Proxy(group, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        const at = `${path}.${String(key)}`
        if (typeof value === 'function') return (...given: unknown[]) => start(at, () => (value as Callable)(...given)) // every function of both returns a promise
        return typeof value === 'object' && value !== null ? guard(value, at) : value
      },
    })

  return {
    guard,
    async run(seed) {
      try {
        const result = await seed()
        hasEnded = true
        const problems = [...calls].flatMap(problemOf)
        if (problems.length > 0) throw new SeedError([...new Set(problems)])
        return result
      } finally {
        hasEnded = true
        // What still runs would otherwise go on outside of the transaction.
        await Promise.all([...calls].map(({ done }) => done))
      }
    },
  }
}

/** Otherwise the failure of a call that the function does not await would be handled here, and so go unnoticed. */
const noteRead = (result: PromiseLike<unknown>, call: SeedCall): unknown =>
  new Proxy(result, {
    get(target, key) {
      call.isRead = true
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

function problemOf({ path, isRunning, isRead, failure }: SeedCall): string[] {
  const remedy = 'Await each creation in the seed function. `forEach` does not wait for async functions.'
  if (isRunning) return [`The seed function ended before ${path} had finished. ${remedy}`]
  return isRead ? [] : [`${path} failed and was not awaited: ${String(failure)}`]
}
