import { toTicketNumber } from '@service/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import { forEachRow, inProcess, prepared } from '../../store/prepared.ts'
import { planEachTime } from '../../store/statement-marks.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'
import { selectNumber, toTags } from './queries.ts'

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
  const query = await matchingIds(store, workspaceId, search)
  return query === undefined ? [] : (await query.execute(store.db)).rows.map(({ id }) => id)
}

export interface TicketSearch extends TicketFilter, Page {}

type Query = RawBuilder<{ id: number }>

/** Undefined if a word is in no ticket. */
export async function matchingIds(store: Store, workspaceId: number, search: TicketSearch): Promise<Query | undefined> {
  if (!hasSearchTerms(search)) return matchAll(workspaceId, search)
  if (store.dialect === 'postgres') return matchInBlocks(workspaceId, search)
  const expression = await toFts5(store, workspaceId, search)
  return expression === undefined ? undefined : matchInFts5(expression, search)
}

/** Whether the index is needed. Without terms, every ticket matches. */
export const hasSearchTerms = (filter: TicketFilter) => searchTerms(filter).length > 0

const matchAll = (workspaceId: number, { before, limit }: Page): Query =>
  sql`select id from tickets where ${olderThan(workspaceId, before)} order by number desc limit ${limit}`

const olderThan = (workspaceId: number, before: number | undefined) =>
  before === undefined
    ? sql`workspace_id = ${workspaceId}`
    : sql`workspace_id = ${workspaceId} and number < ${selectNumber(workspaceId, before)}`

/** The prefix of ticket numbers. It is in every ticket, so it excludes nothing and is the most expensive term. */
const commonWord = 'tkt'

/** A one-letter prefix would also match facets. */
const toPrefix = (word: string) => (word.length === 1 ? word : `${word}*`)

function searchTerms({ tag, words = [], ...facets }: TicketFilter): string[] {
  const terms = [...facetsOf({ ...facets, tags: tag === undefined ? [] : [tag] }), ...words.map(toPrefix)]
  const deciding = terms.filter((term) => !(isPrefix(term) && commonWord.startsWith(term.slice(0, -1))))
  return deciding.length === 0 && terms.length > 0 ? [commonWord] : deciding
}

/**
 * The FTS5 expression of a filter; undefined if a word is in no ticket. For a prefix, FTS5 would first merge the rows of all
 * its terms, which takes 100 ms for 300,000 rows. The terms themselves are read only as far as the page needs.
 */
async function toFts5(store: Store, workspaceId: number, filter: TicketFilter): Promise<string | undefined> {
  const groups: string[] = []
  for (const term of prefixed(`${workspaceId}:`, searchTerms(filter))) {
    const terms = isPrefix(term) ? await listTerms(store, term.slice(0, -1)) : [term]
    if (terms.length === 0) return undefined
    groups.push(
      terms.length > maxTerms ? `"${term.slice(0, -1)}" *` : `(${terms.map((each) => `"${each}"`).join(' OR ')})`,
    )
  }
  return groups.join(' AND ')
}

/** With more, FTS5 merges them faster than it opens each. */
const maxTerms = 500

/** At most one more than `maxTerms` indexed terms with this beginning, each found by one lookup. */
async function listTerms({ db }: Store, start: string): Promise<string[]> {
  const first = (from: RawBuilder<unknown>) => sql`(
    select term from ticket_search_terms where term >= ${from} and term < ${`${start}\u{10ffff}`} limit 1)`
  const { rows } = await sql<{ term: string }>`with recursive found (term) as (
      select ${first(sql`${start}`)}
      union all select ${first(sql`found.term || ${'\u0001'}`)} from found where found.term is not null limit ${maxTerms + 1}
    ) select term from found where term is not null`.execute(db)
  return rows.map(({ term }) => term)
}

const matchInFts5 = (expression: string, { before = Number.MAX_SAFE_INTEGER, limit }: Page): Query =>
  // Without the cast, FTS5 would ignore the bound and read every newer row.
  sql`select rowid as id from ticket_search where ticket_search match ${expression}
    and rowid < cast(${before} as integer) order by rowid desc limit ${limit}`

/** Placeholder for the block number in terms. No term contains it. */
const blockMark = '#'

/** The search expression of a filter on PostgreSQL, for the tickets of one block. */
function toTsquery(workspaceId: number, filter: TicketFilter, block: RawBuilder<unknown>): RawBuilder<boolean> {
  const match = quoted(prefixed(`${workspaceId}:${blockMark}:`, searchTerms(filter))).join(' & ')
  return sql`replace(${match}, ${sql.lit(blockMark)}, (${block})::text)::tsquery`
}

function matchInBlocks(workspaceId: number, { before, limit, ...filter }: TicketSearch): Query {
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

/** The most matches of words that are read to find those among some tickets. */
const maxMatchesRead = 20_000

/** Those of some tickets that have all words; undefined if too many tickets have them. */
export async function matchesWords(
  store: Store,
  workspaceId: number,
  { words, ids }: { readonly words: readonly string[] | undefined; readonly ids: readonly number[] },
): Promise<number[] | undefined> {
  const newest = ids.reduce((most, id) => Math.max(most, id), 0)
  const oldest = ids.reduce((least, id) => Math.min(least, id), newest)
  const page = { before: newest + 1, limit: maxMatchesRead }
  const found = await findMatchingIds(store, workspaceId, { words, ...page })
  if (found.length === maxMatchesRead && (found.at(-1) ?? 0) > oldest) return undefined
  const matching = new Set(found)
  return ids.filter((id) => matching.has(id))
}

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
