import * as z from 'zod/mini'
import { integerId, maxTitleLength, requiredText } from '../fields.ts'

export const maxPageSize = 200
export const defaultPageSize = 50

/** Counts stop at this number, because counting further would cost more in larger workspaces. */
export const maxCount = 100

/** The most that a request counts. */
export const maxCountUpTo = 10_000

const wholeNumber = z.coerce.number().check(z.int(), z.positive())

/** Selects a page of a list: at most `limit` rows with an id below `before`. */
export const pageQuery = {
  limit: z._default(z.coerce.number().check(z.int(), z.positive(), z.maximum(maxPageSize)), defaultPageSize),
  before: z.optional(wholeNumber),
}

/** A filter by an id, in a query string. */
export const idFilter = z.optional(wholeNumber)

/** The same, or `none` for rows without one. */
export const idFilterOrNone = z.optional(z.union([z.literal('none'), wholeNumber]))

/** A filter by the beginnings of words. */
export const searchFilter = z.optional(requiredText(maxTitleLength))

/** The query string of a list that can be searched. */
export const SearchQuery = z.object({ ...pageQuery, search: searchFilter })

/** The query string of a list without filters. */
export const PageQuery = z.object(pageQuery)

/** A page of a list, newest first. `next_before` is the `before` of the next page, and null on the last page. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ data: z.array(item), next_before: z.nullable(integerId) })

const maxCursorLength = 64

/** Selects a page of a list that can be sorted. `before` continues the default order, `cursor` a sorted list. */
export const sortableQuery = <const Sorts extends readonly string[]>(sorts: Sorts) => ({
  ...pageQuery,
  sort: z.optional(z.enum(sorts)),
  cursor: z.optional(requiredText(maxCursorLength)),
})

/** A page of a list that can be sorted. In a sorted list, `next_cursor` is the `cursor` of the next page. */
export const sortablePageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ data: z.array(item), next_before: z.nullable(integerId), next_cursor: z.nullable(z.string()) })

/** A list that is short enough to have no pages. */
export const wholeListOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ data: z.array(item) })

/** One page of a list. */
export interface Page<Item> {
  data: Item[]
  next_before: number | null
  /** Only lists that can be sorted have it. */
  next_cursor?: string | null
}

/** The id of the changed resource. */
export const Changed = z.object({ id: integerId })
