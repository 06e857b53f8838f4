import type { SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { FoundRows, Page, SortablePage, SortedRow } from '../core/pagination.ts'
import { afterRow, jsonIds, type SortOrder, sortedBy, whereEqual } from './list-query.ts'
import { boundedRead } from './statement-marks.ts'
import type { Store } from './store.ts'

// A page must cost the same in every workspace. Conditions that no index answers could read all rows to find a page of
// few, so reading ends after `maxRowsRead` rows. The page is then shorter than its limit, and the next one continues there.

/** Rows that are read for one page. */
export const maxRowsRead = 2000

/** Rows that are sorted for one page. If more match, they are filtered in the order of the list. */
export const maxRowsSorted = 2000

type Rows<DB, TB extends keyof DB, Row> = SelectQueryBuilder<DB, TB, Row>

export interface FilteredList<DB, TB extends keyof DB, Row, Sort extends string> {
  /** The list without filters. */
  readonly all: Rows<DB, TB, Row>
  /** The same without joins, if it has inner joins that find a row for each. */
  readonly keys?: Rows<DB, never, unknown>
  readonly page: SortablePage<Sort>
  readonly orders: Readonly<Record<Sort, SortOrder>>
  /** Default: `id`. */
  readonly id?: string
  /** Values by column. The first ones that an index of `(column, id)` answers are in `indexed`. */
  readonly filters: Readonly<Record<string, string | number | null | undefined>>
  /** Columns with an index on them and the id, in order of preference. */
  readonly indexed?: readonly string[]
  /** Finds the ids of the newest rows that match a search, if there is one. */
  readonly search?: ((page: Page) => Promise<readonly number[]>) | undefined
  /** Further conditions, which no index answers. */
  readonly where?: ((rows: Rows<DB, TB, NoInfer<Row>>) => Rows<DB, TB, NoInfer<Row>>) | undefined
}

/** A page of the rows that match all filters. */
export async function listFiltered<DB, TB extends keyof DB, Row, Sort extends string = never>(
  dialect: Store['dialect'],
  list: FilteredList<DB, TB, Row, Sort>,
): Promise<FoundRows<Row & { sort_key?: string | number }>> {
  const { all, keys = all as never, page, orders, id = 'id', filters, indexed = [], search, where } = list
  if (search !== undefined) return listFound(dialect, list, search)
  const [first] = indexed.filter((column) => filters[column] !== undefined)
  const { [first ?? '']: value, ...others } = filters
  const isFiltered = where !== undefined || Object.values(others).some((other) => other !== undefined)
  const matching = (rows: Rows<DB, TB, Row>) => (where ?? ((each) => each))(whereUnindexed(dialect, rows, others))
  const inScope = <Of>(rows: Rows<DB, TB, Of>) => (first === undefined ? rows : whereEqual(rows, { [first]: value }))
  const options = { page, orders, id }
  if (page.sort !== undefined && first !== undefined) {
    const ids = await selectIds(inScope(keys), id)
      .limit(maxRowsSorted + 1)
      .execute()
    const isOneOf = sql<boolean>`${sql.ref(id)} in ${jsonIds(
      dialect,
      ids.map((row) => row.id),
    )}`
    if (ids.length <= maxRowsSorted)
      return sortedBy(matching(all).where(isOneOf), page, options).modifyEnd(boundedRead).execute()
    return readRows({ rows: matching(inScope(all)), keys, ...options })
  }
  if (!isFiltered) return sortedBy(inScope(all), page, options).execute()
  return readRows({ rows: matching(inScope(all)), keys: inScope(keys), ...options })
}

/** The rows that a search finds. With filters or an order, they are those among the newest `maxRowsRead` that it finds. */
async function listFound<DB, TB extends keyof DB, Row, Sort extends string>(
  dialect: Store['dialect'],
  { all, page, orders, id = 'id', filters, where }: FilteredList<DB, TB, Row, Sort>,
  search: (page: Page) => Promise<readonly number[]>,
): Promise<FoundRows<Row & { sort_key?: string | number }>> {
  const isFiltered = where !== undefined || Object.values(filters).some((value) => value !== undefined)
  const isWhole = page.sort === undefined && !isFiltered
  const found = await search({ before: page.before, limit: isWhole ? page.limit : maxRowsRead })
  const matching = (where ?? ((rows) => rows))(whereEqual(all, filters))
  const isFound = sql<boolean>`${sql.ref(id)} in ${jsonIds(dialect, found)}`
  const rows = await sortedBy(matching.where(isFound), page, { orders, id }).modifyEnd(boundedRead).execute()
  const last = page.sort === undefined && found.length === maxRowsRead ? found.at(-1) : undefined
  return Object.assign(rows, last === undefined ? {} : { readTo: { id: last } })
}

/** Filters at most `maxRowsRead` rows in the order of the list. */
async function readRows<DB, TB extends keyof DB, Row, Sort extends string>({
  rows,
  keys,
  page,
  orders,
  id,
}: {
  readonly rows: Rows<DB, TB, Row>
  readonly keys: Rows<DB, TB, unknown>
  readonly page: SortablePage<Sort>
  readonly orders: Readonly<Record<Sort, SortOrder>>
  readonly id: string
}): Promise<FoundRows<Row & { sort_key?: string | number }>> {
  const found = await sortedBy(selectIds(keys, id), { ...page, limit: 1 }, { orders, id })
    .offset(maxRowsRead - 1)
    .executeTakeFirst()
  const matching = sortedBy(rows, page, { orders, id }).modifyEnd(boundedRead)
  if (found === undefined) return matching.execute()
  const readTo = found as SortedRow // the selected columns
  const isRead =
    page.sort === undefined ? sql<boolean>`${sql.ref(id)} >= ${readTo.id}` : upTo(orders[page.sort], readTo, id)
  return Object.assign(await matching.where(isRead).execute(), { readTo })
}

/** Like `whereEqual`, by no index: SQLite would prefer any on these columns to the bound and the order of the list. */
function whereUnindexed<DB, TB extends keyof DB, Row>(
  dialect: Store['dialect'],
  rows: Rows<DB, TB, Row>,
  values: Readonly<Record<string, string | number | null | undefined>>,
): Rows<DB, TB, Row> {
  if (dialect === 'postgres') return whereEqual(rows, values)
  return Object.entries(values).reduce(
    (filtered, [column, value]) =>
      value === undefined ? filtered : filtered.where(sql<boolean>`+${sql.ref(column)} is ${value}`),
    rows,
  )
}

const upTo = ({ direction, ...order }: SortOrder, last: SortedRow, id: string) =>
  afterRow({ ...order, direction: direction === 'asc' ? 'desc' : 'asc', isInclusive: true }, last, sql.ref(id))

const selectIds = <DB, TB extends keyof DB, Row>(rows: Rows<DB, TB, Row>, id: string) =>
  rows.clearSelect().select(sql<number>`${sql.ref(id)}`.as('id')) as unknown as Rows<DB, TB, { id: number }>
