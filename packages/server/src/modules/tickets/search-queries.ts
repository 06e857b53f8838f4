import { type RawBuilder, sql } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import { forEachRow, inProcess } from '../../store/each-row.ts'
import { planEachTime } from '../../store/plan-each-time.ts'
import type { Store } from '../../store/store.ts'
import { wordsOf } from './search-words.ts'
import { toTicketNumber } from './ticket-number.ts'

// How tickets are found by filters and words. The two engines differ here in more than words (1 M tickets, measured):
// SQLite has one inverted index (FTS5, contentless) of words and of facets such as `s:` and the status, and answers any
// combination from it, newest first, without an index per filter. PostgreSQL's inverted index (GIN) cannot give rows in an
// order, so it has the words only, and B-trees have the filters. Both are written in the transaction of the ticket.

/** What the index has of a ticket. */
export interface SearchableTicket {
  readonly id: number
  readonly workspace_id: number
  readonly number: number
  readonly title: string
  readonly description: string | null
  readonly status: string
  readonly priority: string
  readonly assigned_to: number | null
  readonly project_id: number | null
}

/** Which tickets of a list; what is left out does not matter. */
export interface TicketFilter {
  readonly status?: string | undefined
  readonly priority?: string | undefined
  readonly assigned_to?: number | undefined
  readonly project_id?: number | undefined
  readonly tag?: string | undefined
  /** Words that must all be there, as `wordsOf` gives them. */
  readonly words?: readonly string[] | undefined
}

const wordFields = ['title', 'description'] as const
const facetFields = ['status', 'priority', 'assigned_to', 'project_id', 'tags'] as const

/** Whether a change of these fields is a change of the index. */
export function isSearchable({ dialect }: Store, fields: readonly string[]): boolean {
  const indexed: readonly string[] = dialect === 'sqlite' ? [...wordFields, ...facetFields] : wordFields
  return fields.some((field) => indexed.includes(field))
}

/** A ticket with its tags. */
export interface SearchEntry {
  readonly ticket: SearchableTicket
  readonly tags: readonly string[]
}

/** Adds tickets to the index that are not in it. */
export async function insertSearch(store: Store, entries: readonly SearchEntry[]): Promise<void> {
  if (store.dialect === 'sqlite') insertTerms(store, entries.map(toTerms))
  else await upsertVectors(store, entries.map(toVector))
}

/** Writes the index of a ticket anew. A row that stays behind would take a place in lists and show nothing. */
export async function replaceSearch(store: Store, entry: SearchEntry): Promise<void> {
  if (store.dialect === 'sqlite') deleteTerms(store, [entry.ticket])
  await insertSearch(store, [entry])
}

/** Empties the index. */
export const clearSearch = ({ dialect, db }: Store) =>
  dialect === 'sqlite'
    ? sql`insert into ticket_search (ticket_search) values ('delete-all')`.execute(db)
    : sql`delete from ticket_search`.execute(db)

const insertTerms = inProcess<{ id: number; terms: string }>(
  // A rowid that is no integer to SQLite would be ignored, and numbers are bound as floating-point.
  ({ of }) => sql`insert into ticket_search (rowid, terms) values (cast(${of('id')} as integer), ${of('terms')})`,
)

const deleteTerms = inProcess<Pick<SearchableTicket, 'id'>>(
  ({ of }) => sql`delete from ticket_search where rowid = cast(${of('id')} as integer)`,
)

const upsertVectors = forEachRow<{ workspace_id: number; ticket_id: number; search: string }>(
  { workspace_id: 'bigint', ticket_id: 'bigint', search: 'text' },
  ({ of, from }) => sql`insert into ticket_search (workspace_id, ticket_id, search)
    select ${of('workspace_id')}, ${of('ticket_id')}, ${of('search')}::tsvector ${from} where true
    on conflict (workspace_id, ticket_id) do update set search = excluded.search`,
)

const wordsIn = ({ number, title, description }: SearchableTicket) =>
  wordsOf(`${toTicketNumber(number)} ${title} ${description ?? ''}`)

const toTerms = ({ ticket, tags }: SearchEntry) => ({
  id: ticket.id,
  terms: [...facetsOf({ ...ticket, tags }), ...wordsIn(ticket)].join(' '),
})

const toVector = ({ ticket }: SearchEntry) => ({
  workspace_id: ticket.workspace_id,
  ticket_id: ticket.id,
  search: `'${workspaceTerm(ticket.workspace_id)}' ${wordsIn(ticket).join(' ')}`,
})

/** The workspace is a lexeme too: GIN then needs no extension to have it in the same index. */
const workspaceTerm = (workspaceId: number) => `w:${workspaceId}`
const toQuery = (workspaceId: number, words: readonly string[]) =>
  [workspaceTerm(workspaceId), ...words].map((term) => `'${term}'`).join(' & ')

interface Faceted extends Pick<TicketFilter, 'status' | 'priority'> {
  readonly workspace_id: number
  readonly assigned_to?: number | null | undefined
  readonly project_id?: number | null | undefined
  readonly tags: readonly string[]
}

/** One term each; the colon keeps them apart from words. */
function facetsOf({ workspace_id, status, priority, assigned_to, project_id, tags }: Faceted): string[] {
  return [
    workspaceTerm(workspace_id),
    ...(status === undefined ? [] : [`s:${hex(status)}`]),
    ...(priority === undefined ? [] : [`p:${hex(priority)}`]),
    ...(typeof assigned_to === 'number' ? [`a:${assigned_to}`] : []),
    ...(typeof project_id === 'number' ? [`j:${project_id}`] : []),
    ...tags.map((tag) => `g:${hex(tag)}`),
  ]
}

/** Any text as one term. */
const hex = (text: string) => Buffer.from(text).toString('hex')

/** The newest tickets that pass the filter, newest first. */
export async function findMatchingIds(store: Store, workspaceId: number, wanted: WantedTickets): Promise<number[]> {
  const { rows } = await matchingIds(store.dialect, workspaceId, wanted).execute(store.db)
  return rows.map(({ id }) => id)
}

/** How many tickets pass each of the filters, counted to `most`. */
export async function countMatching(
  { dialect, db }: Store,
  { workspaceId, filters, most }: { workspaceId: number; filters: readonly TicketFilter[]; most: number },
): Promise<number[]> {
  const counts = filters.map((filter) => {
    const ids = matchingIds(dialect, workspaceId, { ...filter, limit: most })
    return sql`select count(*) as count from (${ids}) as matching`
  })
  const { rows } = await sql<{ count: number | string }>`${planEachTime} ${sql.join(counts, sql` union all `)}`.execute(
    db,
  )
  return rows.map(({ count }) => Number(count))
}

export interface WantedTickets extends TicketFilter, Page {}

type Matching = (workspaceId: number, wanted: WantedTickets) => RawBuilder<{ id: number }>

export const matchingIds = (dialect: Store['dialect'], ...given: Parameters<Matching>): ReturnType<Matching> =>
  dialect === 'sqlite' ? inTerms(...given) : inTables(...given)

const inTerms: Matching = (workspaceId, { tag, words = [], before = Number.MAX_SAFE_INTEGER, limit, ...facets }) => {
  const tags = tag === undefined ? [] : [tag]
  const terms = [...facetsOf({ ...facets, workspace_id: workspaceId, tags }), ...words]
  const match = terms.map((term) => `"${term}"`).join(' AND ')
  // Without the cast FTS5 would ignore the bound and read everything that is newer.
  return sql`select rowid as id from ticket_search
    where ticket_search match ${match} and rowid < cast(${before} as integer) order by rowid desc limit ${limit}`
}

const inTables: Matching = (workspaceId, { words = [], tag, before = Number.MAX_SAFE_INTEGER, limit, ...columns }) => {
  const byColumn = Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`and tickets.${sql.ref(column)} = ${value}`],
  )
  const byTag = sql`join ticket_tags on ticket_tags.workspace_id = tickets.workspace_id
    and ticket_tags.ticket_id = tickets.id and ticket_tags.tag = ${tag}`
  const byWords = sql`join ticket_search on ticket_search.workspace_id = tickets.workspace_id
    and ticket_search.ticket_id = tickets.id and ticket_search.search @@ ${toQuery(workspaceId, words)}::tsquery`
  return sql`${planEachTime} select tickets.id from tickets
    ${tag === undefined ? sql`` : byTag} ${words.length === 0 ? sql`` : byWords}
    where tickets.workspace_id = ${workspaceId} and tickets.id < ${before} ${sql.join(byColumn, sql` `)}
    ${words.length === 0 ? sql`` : sql`and ticket_search.workspace_id = ${workspaceId} and ticket_search.ticket_id < ${before}`}
    order by tickets.id desc limit ${limit}`
}
