import { queryValues, toNumber, urlWith } from '../forms.ts'
import type { Fields, WorkspacePage } from '../page-types.ts'
import { type AnyRecord, type AnyResource, getField, pathOf } from './resource.ts'

type Query = Pick<Fields, 'text'>

/** The filters of a list. The board's field is one of them, except on the board. */
export const filtersOf = ({ list, board }: AnyResource, isBoard = false): readonly string[] =>
  board === undefined || isBoard ? (list.filters ?? []) : [board.by, ...(list.filters ?? [])]

/** The API query of the filters in a URL. */
export const filterQuery = (resource: AnyResource, filters: readonly string[], query: Query) =>
  Object.fromEntries(
    filters.map((name) => {
      const text = query.text(name)
      const { read, filterOptions = [] } = getField(resource, name)
      const isPlain = read === undefined || filterOptions.some(({ value }) => value === text)
      return [name, (isPlain ? text || undefined : read(text)) ?? undefined]
    }),
  )

/** The API query of the search field. */
export const searchQuery = ({ list }: AnyResource, query: Query) =>
  list.search === undefined ? {} : { search: query.text('search') || undefined }

/** The API query of a list page: its filters, search, order, and page. */
export function listQuery(resource: AnyResource, query: Query): Record<string, unknown> {
  const { sorts = {} } = resource.list
  const sort = query.text('sort')
  const isSorted = Object.values(sorts).some((order) => order?.[0] === sort)
  return {
    ...filterQuery(resource, filtersOf(resource), query),
    ...searchQuery(resource, query),
    ...(isSorted ? { sort, cursor: query.text('cursor') || undefined } : { before: toNumber(query.text('before')) }),
  }
}

/** The parameters of a list page, without its position. */
export const listValues = (resource: AnyResource, query: Fields) =>
  queryValues(query, ['view', ...filtersOf(resource), 'search', 'sort'])

/** The parameters of a list page. */
export const listPageValues = (resource: AnyResource, query: Fields) => ({
  ...listValues(resource, query),
  ...queryValues(query, ['cursor', 'before']),
})

/** An address below the list, such as a record's id, with the list that it was opened from and its position there. */
export const recordPath = (resource: AnyResource, page: WorkspacePage, below: number | string) =>
  urlWith(page.link(`${pathOf(resource)}/${below}`), queryValues(page.query, ['list', 'at']))

export function linkInList(
  resource: AnyResource,
  page: WorkspacePage,
  { id, index }: { readonly id: number; readonly index: number },
): string {
  const path = page.link(`${pathOf(resource)}/${id}`)
  if (resource.list.keepsPosition !== true) return path
  const { view: _, ...values } = listPageValues(resource, page.query)
  return urlWith(path, { list: urlWith('', values).slice(1) || 'all', at: String(index) })
}

interface Neighbors {
  readonly previous?: string | undefined
  readonly next?: string | undefined
}

/** The neighbors of a record in the list that it was opened from. If it has left the list, those of its position. */
export async function findNeighbors(resource: AnyResource, page: WorkspacePage, id: number): Promise<Neighbors> {
  const list = page.query.text('list')
  if (list === '') return {}
  const params = new URLSearchParams(list)
  const query = listQuery(resource, { text: (name) => params.get(name)?.trim() ?? '' })
  const { data } = await resource.api(page.admin).list({ workspace: page.workspace.id }, query)
  const found = data.findIndex((row) => row.id === id)
  const position = found === -1 ? (toNumber(page.query.text('at')) ?? 0) : found
  const linkTo = (index: number) => {
    const row: AnyRecord | undefined = data[index]
    return row && urlWith(page.link(`${pathOf(resource)}/${row.id}`), { list, at: String(index) })
  }
  return { previous: linkTo(position - 1), next: linkTo(found === -1 ? position : position + 1) }
}
