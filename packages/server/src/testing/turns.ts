import { AsyncLocalStorage } from 'node:async_hooks'
import { semaphore } from '../store/semaphore.ts'
import type { Store } from '../store/store.ts'

/** Runs work one at a time, in the order of the calls. */
export interface Turns {
  take<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Made inside a transaction, such as that of a seed, for the work of that transaction; otherwise for work outside of one. */
export function createTurns({ isInTransaction }: Pick<Store, 'isInTransaction'>): Turns {
  const queue = semaphore(1)
  const current = new AsyncLocalStorage<{ isOpen: boolean }>()
  const isOfTransaction = isInTransaction()
  // The work of a hook runs at once: the work that has the turn may wait for the hook, or for its transaction.
  const isOfHook = () => current.getStore()?.isOpen === true || isInTransaction() !== isOfTransaction
  return {
    async take(work) {
      if (isOfHook()) return work()
      const leave = await queue.enter()
      const turn = { isOpen: true }
      try {
        return await current.run(turn, work)
      } finally {
        turn.isOpen = false
        leave()
      }
    },
  }
}
