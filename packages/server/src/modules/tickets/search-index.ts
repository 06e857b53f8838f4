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

// When new tickets are indexed. On PostgreSQL, in their own transaction. On SQLite, where ids commit in order, in
// batches: before each search, so that none is missed, and otherwise one second after the oldest unindexed
// ticket was created. Indexing each ticket separately would take half the time of its creation.

const indexDelay = microsPerSecond

/** A larger batch would block other writers for too long. */
const batchSize = 200

/** Indexes new tickets, at once on PostgreSQL and later on SQLite. */
export async function indexCreatedTickets(app: TxApp, tickets: readonly SearchableTicket[]): Promise<void> {
  if (app.store.dialect === 'postgres') await insertSearch(app.store, tickets)
  else app.store.afterCommit(() => app.dueSignal.scheduleAt(app.clock.now() + indexDelay))
}

/** Indexes pending tickets on SQLite. Returns false if there are none or the write queue is full; a search retries. */
export async function indexPendingTickets(store: Store): Promise<boolean> {
  if (store.dialect === 'postgres' || (await oldestUnindexed(store)) === undefined) return false
  try {
    const addSome = async () => indexAfter(store, await lastIndexed(store))
    let added: readonly SearchableTicket[]
    do added = await store.transaction(addSome, { durability: 'soon' })
    while (added.length === batchSize)
    return true
  } catch (fault) {
    if (!store.isInTransaction() && fault instanceof ApiError && fault.code === 'unavailable') return false
    throw fault
  }
}

/** On SQLite, indexes pending tickets after one second if no search has done so. */
export const createIndexTask = (app: App): MaintenanceTask => ({
  isInvisible: true,
  async nextDueAt() {
    const createdAt = app.store.dialect === 'postgres' ? undefined : await oldestUnindexed(app.store)
    return createdAt === undefined ? undefined : createdAt + indexDelay
  },
  run: () => indexPendingTickets(app.store),
})

/**
 * Rebuilds the ticket index of a database that was filled without it and has no other users. Calls `report` with
 * the number of tickets in each batch.
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
  const tickets = await listForSearch(store.db, { after, limit: batchSize })
  await insertSearch(store, tickets)
  return tickets
}
