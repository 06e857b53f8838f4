import type { Store } from '../../store/store.ts'
import { listForSearch, listTagsOf, nextWithTickets } from './queries.ts'
import { clearSearch, createTermsIndex, dropTermsIndex, insertSearch } from './search-queries.ts'

const batch = 1000

/**
 * Makes the index of tickets anew, for a database that was filled without it and that nobody uses meanwhile; `report` is
 * told how many tickets each batch had. Says how many there are.
 */
export async function rebuildTicketSearch(
  store: Store,
  report: (tickets: number) => void = () => undefined,
): Promise<number> {
  await dropTermsIndex(store)
  await store.transaction(() => clearSearch(store))
  let count = 0
  const add = (tickets: number) => {
    count += tickets
    report(tickets)
  }
  for (let at = await nextWithTickets(store.db, 0); at !== undefined; at = await nextWithTickets(store.db, at))
    await indexWorkspace(store, at, add)
  await createTermsIndex(store)
  return count
}

async function indexWorkspace(store: Store, workspaceId: number, add: (tickets: number) => void): Promise<void> {
  let after = 0
  for (;;) {
    const tickets = await store.transaction(() => indexSome(store, workspaceId, after))
    add(tickets.length)
    after = tickets.at(-1)?.id ?? after
    if (tickets.length < batch) return
  }
}

async function indexSome(store: Store, workspaceId: number, after: number) {
  const tickets = await listForSearch(store.db, workspaceId, { after, limit: batch })
  const tags = await listTagsOf(store, workspaceId, tickets)
  await insertSearch(
    store,
    tickets.map((ticket) => ({ ticket, tags: tags.get(ticket.id) ?? [] })),
  )
  return tickets
}
