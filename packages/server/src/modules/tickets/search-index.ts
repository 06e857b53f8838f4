import type { App, TxApp } from '../../context.ts'
import { microsPerSecond } from '../../core/clock.ts'
import { ApiError } from '../../core/errors.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import type { Store } from '../../store/store.ts'
import { listForSearch } from './queries.ts'
import {
  clearSearch,
  createTermsIndex,
  dropTermsIndex,
  insertSearch,
  lastIndexed,
  oldestUnindexed,
  type SearchableTicket,
} from './search-queries.ts'

// When new tickets get into the index. On PostgreSQL that is in the transaction that makes them. On SQLite, whose ids are
// committed in their order, it is later, for many at once: before each search, which so misses none, and a second after the
// oldest that waits was made. Writing each by itself would cost half of its creation.

const delay = microsPerSecond

/** More at a time would keep all others waiting for too long. */
const batch = 200

/** Has lists find tickets that were just made. */
export async function indexCreated(app: TxApp, tickets: readonly SearchableTicket[]): Promise<void> {
  if (app.store.dialect === 'postgres') await insertSearch(app.store, tickets)
  else app.store.afterCommit(() => app.dueSignal.scheduleAt(app.clock.now() + delay))
}

/** Adds the tickets that wait on SQLite. False where there are none, or no room for them: then a search has the others. */
export async function indexWaiting(store: Store): Promise<boolean> {
  if (store.dialect === 'postgres' || (await oldestUnindexed(store)) === undefined) return false
  try {
    const addSome = async () => indexAfter(store, await lastIndexed(store))
    let added: readonly SearchableTicket[]
    do added = await store.transaction(addSome, { durability: 'soon' })
    while (added.length === batch)
    return true
  } catch (fault) {
    if (!store.isInTransaction() && fault instanceof ApiError && fault.code === 'unavailable') return false
    throw fault
  }
}

/** Adds on SQLite, a second later, what no search has asked for. */
export const searchUpkeep = (app: App): MaintenanceTask => ({
  isInvisible: true,
  async nextDueAt() {
    const madeAt = app.store.dialect === 'postgres' ? undefined : await oldestUnindexed(app.store)
    return madeAt === undefined ? undefined : madeAt + delay
  },
  run: () => indexWaiting(app.store),
})

/**
 * Makes the index of tickets anew, for a database that was filled without it and that nobody uses meanwhile; `report` is
 * told how many tickets each batch had.
 */
export async function rebuildTicketSearch(
  store: Store,
  report: (tickets: number) => void = () => undefined,
): Promise<void> {
  const addAfter = async (id: number) => {
    const tickets = await store.transaction(() => indexAfter(store, id))
    report(tickets.length)
    return tickets.at(-1)?.id
  }
  await dropTermsIndex(store)
  await store.transaction(() => clearSearch(store))
  let last: number | undefined = 0
  while (last !== undefined) last = await addAfter(last)
  await createTermsIndex(store)
}

async function indexAfter(store: Store, after: number): Promise<readonly SearchableTicket[]> {
  const tickets = await listForSearch(store.db, { after, limit: batch })
  await insertSearch(store, tickets)
  return tickets
}
