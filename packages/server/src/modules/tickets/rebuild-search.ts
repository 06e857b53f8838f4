import type { Store } from '../../store/store.ts'
import { listForSearch, listTagsOf, nextWithTickets } from './queries.ts'
import { clearSearch, insertSearch } from './search-queries.ts'

const batch = 1000

/** Makes the index of tickets anew, for a database that was filled without it. Says how many tickets there are. */
export async function rebuildTicketSearch(store: Store): Promise<number> {
  await store.transaction(() => clearSearch(store))
  let count = 0
  for (let at = await nextWithTickets(store.db, 0); at !== undefined; at = await nextWithTickets(store.db, at))
    count += await indexWorkspace(store, at)
  return count
}

async function indexWorkspace(store: Store, workspaceId: number): Promise<number> {
  let count = 0
  let after = 0
  for (;;) {
    const tickets = await store.transaction(() => indexSome(store, workspaceId, after))
    count += tickets.length
    after = tickets.at(-1)?.id ?? after
    if (tickets.length < batch) return count
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
