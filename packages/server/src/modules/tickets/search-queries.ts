import { type RawBuilder, sql } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import { forEachRow, inProcess, planEachTime, prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'
import { numberOf, toTags } from './queries.ts'
import { toTicketNumber } from './ticket-numbers.ts'

// Tickets are found by filters and words in one inverted index, FTS5 (contentless) on SQLite and GIN on PostgreSQL.
// It contains words and facets, such as `s:` and the status, so it handles any combination without an index per filter
// (measured with 1 M tickets). Each term starts with its workspace, so that
// other workspaces' tickets do not slow down a search. FTS5 returns rows newest first and stops at the end of the page.
// GIN returns all matches before they can be sorted. There, terms also contain the ticket's block, and
// blocks are searched from the newest on until the page is full.

/** The indexed fields of a ticket. */
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
  /** JSON list of strings. */
  readonly tags: string
}

/** Filters for tickets. Omitted fields match everything. */
export interface TicketFilter {
  readonly status?: string | undefined
  readonly priority?: string | undefined
  readonly assigned_to?: number | undefined
  readonly project_id?: number | undefined
  readonly tag?: string | undefined
  /** Beginnings of words, as returned by `wordsOf`. All must occur. */
  readonly words?: readonly string[] | undefined
}

const indexedFields = ['title', 'description', 'status', 'priority', 'assigned_to', 'project_id', 'tags']

/** Whether a change of these fields affects the index. */
export const isSearchable = (fields: readonly string[]) => fields.some((field) => indexedFields.includes(field))

/** Adds tickets that are not in the index yet. */
export async function insertSearch(store: Store, tickets: readonly SearchableTicket[]): Promise<void> {
  if (store.dialect === 'sqlite') insertTerms(store, tickets.map(toTerms))
  else await upsertVectors(store, tickets.map(toVector))
}

/**
 * Reindexes a ticket. Every index row must have a ticket, because a stale row would shorten a page. On SQLite,
 * an unindexed ticket is left to be added with those before it.
 */
export async function replaceSearch(store: Store, ticket: SearchableTicket): Promise<void> {
  if (store.dialect === 'sqlite' && deleteTerms(store, [ticket]) === 0) return
  await insertSearch(store, [ticket])
}

const newestIndexed = sql`coalesce((select rowid from ticket_search order by rowid desc limit 1), 0)`

/** On SQLite: the id of the last indexed ticket. */
export async function lastIndexed({ db }: Store): Promise<number> {
  const { rows } = await sql<{ id: number }>`select ${newestIndexed} as id`.execute(db)
  return rows[0]?.id ?? 0
}

/** On SQLite: the creation time of the oldest unindexed ticket. */
export async function oldestUnindexed({ db }: Store): Promise<number | undefined> {
  const { rows } = await sql<{ created_at: number }>`select created_at from tickets
    where id > ${newestIndexed} order by id limit 1 ${acrossWorkspaces('search index')}`.execute(db)
  return rows[0]?.created_at
}

/** Empties the index before a rebuild. */
export const clearSearch = ({ dialect, db }: Store) =>
  dialect === 'sqlite'
    ? sql`insert into ticket_search (ticket_search) values ('delete-all')`.execute(db)
    : sql`delete from ticket_search ${acrossWorkspaces('search index')}`.execute(db)

// PostgreSQL builds the index ten times faster after all rows exist. The usual statement timeout does not apply.

export const dropTermsIndex = ({ dialect, migrateWith }: Store) =>
  migrateWith(async (run) => {
    if (dialect === 'postgres') await run('drop index if exists ticket_search_terms')
  })

/** The same definition as in the schema. */
export const createTermsIndex = ({ dialect, migrateWith }: Store) =>
  migrateWith(async (run) => {
    if (dialect === 'postgres')
      await run(
        'create index ticket_search_terms on ticket_search using gin (search) with (gin_pending_list_limit = 64)',
      )
  })

const insertTerms = inProcess<{ id: number; terms: string }>(
  // FTS5 ignores a rowid that is not an integer, and numbers are bound as floating-point.
  ({ of }) => sql`insert into ticket_search (rowid, terms) values (cast(${of('id')} as integer), ${of('terms')})`,
)

const deleteTerms = inProcess<Pick<SearchableTicket, 'id'>>(
  ({ of }) => sql`delete from ticket_search where rowid = cast(${of('id')} as integer)`,
)

interface VectorRow {
  readonly workspace_id: number
  readonly ticket_id: number
  readonly search: string
}

const upsertSeveral = forEachRow<VectorRow>(
  { workspace_id: 'bigint', ticket_id: 'bigint', search: 'text' },
  ({ of, from }) => sql`insert into ticket_search (workspace_id, ticket_id, search)
    select ${of('workspace_id')}, ${of('ticket_id')}, ${of('search')}::tsvector ${from} where true
    on conflict (workspace_id, ticket_id) do update set search = excluded.search`,
)

const upsertOne = prepared<VectorRow, unknown>((db, param) => ({
  compile: () =>
    sql`insert into ticket_search (workspace_id, ticket_id, search)
    values (${param('workspace_id')}, ${param('ticket_id')}, ${param('search')}::tsvector)
    on conflict (workspace_id, ticket_id) do update set search = excluded.search`.compile(db),
}))

/** Citus inserts values in a quarter of the time of the rows of a query. */
async function upsertVectors(store: Store, rows: readonly VectorRow[]): Promise<void> {
  const [first, ...more] = rows
  if (first !== undefined && more.length === 0) await upsertOne(store.db, first)
  else await upsertSeveral(store, rows)
}

const termsOf = (ticket: SearchableTicket) => [
  ...facetsOf({ ...ticket, tags: toTags(ticket.tags) }),
  ...wordsOf(`${toTicketNumber(ticket.number)} ${ticket.title} ${ticket.description ?? ''}`),
]

const toTerms = (ticket: SearchableTicket) => ({
  id: ticket.id,
  terms: prefixed(`${ticket.workspace_id}:`, termsOf(ticket)).join(' '),
})

const toVector = (ticket: SearchableTicket) => {
  const { workspace_id, id, number } = ticket
  const terms = prefixed(`${workspace_id}:${Math.floor(number / 2 ** blockBits)}:`, termsOf(ticket))
  return { workspace_id, ticket_id: id, search: quoted(terms).join(' ') }
}

const prefixed = (prefix: string, terms: readonly string[]) => terms.map((term) => prefix + term)

/** For PostgreSQL, where an unquoted colon starts a position, and `:*` marks a prefix. */
const quoted = (terms: readonly string[]) =>
  terms.map((term) => (isPrefix(term) ? `'${term.slice(0, -1)}':*` : `'${term}'`))

/** A search term that ends with an asterisk matches all terms that start with the rest. */
const isPrefix = (term: string) => term.endsWith('*')

/**
 * Tickets of a workspace whose numbers have the same upper bits. With larger blocks, frequent matches read and sort
 * many rows; with smaller ones, rare matches visit more blocks.
 */
const blockBits = 13

interface Faceted extends Pick<TicketFilter, 'status' | 'priority'> {
  readonly assigned_to?: number | null | undefined
  readonly project_id?: number | null | undefined
  readonly tags: readonly string[]
}

/** One term per facet. The colon after the letter distinguishes them from words. */
function facetsOf({ status, priority, assigned_to, project_id, tags }: Faceted): string[] {
  return [
    ...(status === undefined ? [] : [`s:${hex(status)}`]),
    ...(priority === undefined ? [] : [`p:${hex(priority)}`]),
    ...(typeof assigned_to === 'number' ? [`a:${assigned_to}`] : []),
    ...(typeof project_id === 'number' ? [`j:${project_id}`] : []),
    ...tags.map((tag) => `g:${hex(tag)}`),
  ]
}

/** Encodes any text as one term. */
const hex = (text: string) => Buffer.from(text).toString('hex')

/** The newest matching tickets, newest first. */
export async function findMatchingIds(store: Store, workspaceId: number, search: TicketSearch): Promise<number[]> {
  const { rows } = await matchingIds(store.dialect, workspaceId, search).execute(store.db)
  return rows.map(({ id }) => id)
}

export interface TicketSearch extends TicketFilter, Page {}

type Matching = (workspaceId: number, search: TicketSearch) => RawBuilder<{ id: number }>

export function matchingIds(
  dialect: Store['dialect'],
  workspaceId: number,
  search: TicketSearch,
): ReturnType<Matching> {
  if (!hasSearchTerms(search)) return matchAll(workspaceId, search)
  return dialect === 'sqlite' ? matchInFts5(workspaceId, search) : matchInBlocks(workspaceId, search)
}

/** Whether the index is needed. Without terms, every ticket matches. */
export const hasSearchTerms = (filter: TicketFilter) => searchTerms(filter).length > 0

const matchAll: Matching = (workspaceId, { before, limit }) =>
  sql`select id from tickets where ${olderThan(workspaceId, before)} order by number desc limit ${limit}`

const olderThan = (workspaceId: number, before: number | undefined) =>
  before === undefined
    ? sql`workspace_id = ${workspaceId}`
    : sql`workspace_id = ${workspaceId} and number < ${numberOf(workspaceId, before)}`

/** The prefix of ticket numbers. It is in every ticket, so it excludes nothing and is the most expensive term. */
const commonWord = 'tkt'

/** A one-letter prefix would also match facets. */
const toPrefix = (word: string) => (word.length === 1 ? word : `${word}*`)

function searchTerms({ tag, words = [], ...facets }: TicketFilter): string[] {
  const terms = [...facetsOf({ ...facets, tags: tag === undefined ? [] : [tag] }), ...words.map(toPrefix)]
  const deciding = terms.filter((term) => !(isPrefix(term) && commonWord.startsWith(term.slice(0, -1))))
  return deciding.length === 0 && terms.length > 0 ? [commonWord] : deciding
}

/** The FTS5 expression of a filter. */
const toFts5 = (workspaceId: number, filter: TicketFilter) =>
  prefixed(`${workspaceId}:`, searchTerms(filter))
    .map((term) => (isPrefix(term) ? `"${term.slice(0, -1)}" *` : `"${term}"`))
    .join(' AND ')

const matchInFts5: Matching = (workspaceId, { before = Number.MAX_SAFE_INTEGER, limit, ...filter }) =>
  // Without the cast, FTS5 would ignore the bound and read every newer row.
  sql`select rowid as id from ticket_search where ticket_search match ${toFts5(workspaceId, filter)}
    and rowid < cast(${before} as integer) order by rowid desc limit ${limit}`

/** Placeholder for the block number in terms. No term contains it. */
const blockMark = '#'

/** The search expression of a filter on PostgreSQL, for the tickets of one block. */
function toTsquery(workspaceId: number, filter: TicketFilter, block: RawBuilder<unknown>): RawBuilder<boolean> {
  const match = quoted(prefixed(`${workspaceId}:${blockMark}:`, searchTerms(filter))).join(' & ')
  return sql`replace(${match}, ${sql.lit(blockMark)}, (${block})::text)::tsquery`
}

const matchInBlocks: Matching = (workspaceId, { before, limit, ...filter }) => {
  const newestBlock = sql`select number >> ${sql.lit(blockBits)} from tickets
    where ${olderThan(workspaceId, before)} order by number desc limit 1`
  // A set-returning function yields rows in order, and the join stops with the page. `offset 0` keeps the outer order
  // and limit from the planner, which would otherwise scan the primary key to avoid sorting one block.
  return sql`${planEachTime} select found.id from generate_series((${newestBlock}), 0, -1) as block
    cross join lateral (
      select ticket_id as id from (
        select ticket_id from ticket_search
        where workspace_id = ${workspaceId} and search @@ ${toTsquery(workspaceId, filter, sql.ref('block'))}
        offset 0
      ) as matching where ticket_id < ${before ?? Number.MAX_SAFE_INTEGER} order by ticket_id desc limit ${limit}
    ) as found limit ${limit}`
}

/** A condition on `tickets` that the index answers. The plus sign keeps SQLite from reading matches in id order. */
export const matchesSearch = (dialect: Store['dialect'], workspaceId: number, filter: TicketFilter) =>
  dialect === 'sqlite'
    ? sql`+id in (select rowid from ticket_search where ticket_search match ${toFts5(workspaceId, filter)})`
    : sql`exists (select from ticket_search
        where ticket_search.workspace_id = ${workspaceId} and ticket_search.ticket_id = tickets.id
          and ticket_search.search @@ ${toTsquery(workspaceId, filter, sql`tickets.number >> ${sql.lit(blockBits)}`)})`

/** Limits on the indexed part of a text and of a word. PostgreSQL limits both. */
const maxCharacters = 65_536
const maxWordLength = 64

/**
 * The distinct words of a text, without case and accents. Both databases index and search these words, because their
 * own tokenizers differ.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, maxCharacters)
    .normalize('NFKD') // may make the text longer
    .slice(0, maxCharacters)
    .toLowerCase()
    .replace(/\p{M}/gu, '')
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words.map((word) => word.slice(0, maxWordLength)))]
}
