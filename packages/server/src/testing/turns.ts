import type { App } from '../context.ts'
import { fairQueue } from '../core/fair-queue.ts'
import { createWorkScope } from './work-scope.ts'

/** Runs work one at a time, in the order of the calls. */
export interface Turns {
  take<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Made inside a transaction, such as that of a seed, for the work of that transaction; otherwise for work outside of one. */
export function createTurns(app: Pick<App, 'store'>): Turns {
  const queue = fairQueue({ slots: 1 })
  const current = createWorkScope()
  const isInTransaction = () => app.store.isInTransaction() // of the present store, which a reset replaces
  const isOfTransaction = isInTransaction()
  // The work of a hook runs at once: the work that has the turn may wait for the hook, or for its transaction.
  const isOfHook = () => current.isInside() || isInTransaction() !== isOfTransaction
  return {
    async take(work) {
      if (isOfHook()) return work()
      return queue.run(undefined, () => current.run(work))
    },
  }
}
