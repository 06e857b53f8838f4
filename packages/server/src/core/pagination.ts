import { defaultPageSize } from '@service/contract/admin/pages'

/** One page of a list, newest first: at most `limit` rows with an id below `before`. */
export interface Page {
  readonly limit: number
  readonly before?: number | undefined
}

/** A page of a list that can be searched. */
export interface SearchedPage extends Page {
  readonly search?: string | undefined
}

export const defaultPage: Page = { limit: defaultPageSize }

interface Row {
  readonly id: number
}

/** The rows of a page. */
export type FoundRows<Of> = readonly Of[] & {
  /** The last row that was read, if reading ended before the page was full. The next page continues after it. */
  readonly readTo?: SortedRow | undefined
}

/** The same page with its rows converted. */
export const mapRows = <Of, Item>(rows: FoundRows<Of>, toItem: (row: Of) => Item): FoundRows<Item> =>
  Object.assign(rows.map(toItem), { readTo: rows.readTo })

const lastRow = <Of extends Row>(rows: FoundRows<Of>, { limit }: Page): SortedRow | undefined =>
  rows.length < limit ? rows.readTo : rows.at(-1)

/** `next_before` is the `before` of the next page, or null on the last page. */
export const toPage = <Of extends Row>(data: FoundRows<Of>, page: Page) => ({
  data: [...data],
  next_before: lastRow(data, page)?.id ?? null,
})

/** One page of a list that can be sorted. */
export interface SortablePage<Sort extends string = string> extends Page {
  readonly sort?: Sort | undefined
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined
}

export interface SortedRow extends Row {
  /** What the list is sorted by. */
  readonly sort_key?: string | number | undefined
}

/** The cursor after a row; `parseCursor` reads it. */
export const formatCursor = ({ sort_key, id }: SortedRow): string => `${sort_key},${id}`

/** `next_cursor` continues a sorted list, `next_before` the default order. */
export function toSortablePage<Of extends SortedRow, Item>(
  rows: FoundRows<Of>,
  page: SortablePage,
  toItem: (row: Of) => Item,
) {
  const data = rows.map(toItem)
  const last = lastRow(rows, page)
  if (page.sort === undefined) return { data, next_before: last?.id ?? null, next_cursor: null }
  return { data, next_before: null, next_cursor: last === undefined ? null : formatCursor(last) }
}

interface PagedCall<Query extends Page> {
  readonly workspaceId: number
  readonly query: Query
}

/** Like `paged`, for a list of the whole instance. */
export const pagedInstance =
  <App, Of extends Row, Query extends Page>(list: (app: App, query: Query) => Promise<FoundRows<Of>>) =>
  async (app: App, { query }: Pick<PagedCall<Query>, 'query'>) =>
    toPage(await list(app, query), query)

/** A handler that answers one page of a list. */
export const paged =
  <App, Of extends Row, Query extends Page>(
    list: (app: App, workspaceId: number, query: Query) => Promise<FoundRows<Of>>,
  ) =>
  async (app: App, { workspaceId, query }: PagedCall<Query>) =>
    toPage(await list(app, workspaceId, query), query)
