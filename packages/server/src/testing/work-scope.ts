import { AsyncLocalStorage } from 'node:async_hooks'

/** Tells whether the caller is part of running work, such as a hook of it. */
export interface WorkScope {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  isInside(): boolean
}

export function createWorkScope(): WorkScope {
  const current = new AsyncLocalStorage<{ isOpen: boolean }>()
  return {
    async run(work) {
      // What the work has started and left behind is not part of it.
      const scope = { isOpen: true }
      try {
        return await current.run(scope, work)
      } finally {
        scope.isOpen = false
      }
    },
    isInside: () => current.getStore()?.isOpen === true,
  }
}
