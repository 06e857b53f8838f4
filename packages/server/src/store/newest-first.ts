import type { SelectQueryBuilder } from 'kysely'
import type { Page } from '../page.ts'

/** Keyset pagination over ids: each page costs the same, however deep, and rows that arrive meanwhile move nothing. */
export function newestFirst<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { limit, before }: Page,
): SelectQueryBuilder<DB, TB, Row> {
  const id = 'id' as never // every paged table has one; the generic builder cannot know
  const page = before === undefined ? query : query.where(id, '<', before as never)
  return page.orderBy(id, 'desc').limit(limit)
}
