import { defaultPageSize } from '@service/contract/admin/pages'

/** One page of a list, newest first: at most `limit` rows with an id below `before`. */
export interface Page {
  readonly limit: number
  readonly before?: number | undefined
}

export const defaultPage: Page = { limit: defaultPageSize }

interface Row {
  readonly id: number
}

/** `next_before` is the `before` of the next page, or null on the last page. */
export const toPage = <Of extends Row>(data: readonly Of[], { limit }: Page) => ({
  data,
  next_before: data.length < limit ? null : (data.at(-1)?.id ?? null),
})

/** One page of a list that can be sorted. */
export interface SortablePage<Sort extends string = string> extends Page {
  readonly sort?: Sort | undefined
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined
}

interface SortedRow extends Row {
  /** What the list is sorted by. */
  readonly sort_key?: string | number | undefined
}

/** `next_cursor` continues a sorted list, `next_before` the default order. */
export function toSortablePage<Of extends SortedRow, Item>(
  rows: readonly Of[],
  page: SortablePage,
  toItem: (row: Of) => Item,
) {
  const { next_before } = toPage(rows, page)
  const next_cursor = next_before === null || page.sort === undefined ? null : `${rows.at(-1)?.sort_key},${next_before}`
  return { data: rows.map(toItem), next_before: page.sort === undefined ? next_before : null, next_cursor }
}

interface PagedCall<Query extends Page> {
  readonly workspaceId: number
  readonly query: Query
}

/** Like `paged`, for a list of the whole instance. */
export const pagedInstance =
  <App, Of extends Row, Query extends Page>(list: (app: App, query: Query) => Promise<readonly Of[]>) =>
  async (app: App, { query }: Pick<PagedCall<Query>, 'query'>) =>
    toPage(await list(app, query), query)

/** A handler that answers one page of a list. */
export const paged =
  <App, Of extends Row, Query extends Page>(
    list: (app: App, workspaceId: number, query: Query) => Promise<readonly Of[]>,
  ) =>
  async (app: App, { workspaceId, query }: PagedCall<Query>) =>
    toPage(await list(app, workspaceId, query), query)
