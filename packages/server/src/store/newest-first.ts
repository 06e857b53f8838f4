import type { SelectQueryBuilder } from 'kysely'
import type { Page } from '../core/pagination.ts'

/** Keyset pagination over ids: each page costs the same, however deep, and rows that arrive meanwhile move nothing. */
export function newestFirst<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { limit, before }: Page,
  column = 'id',
): SelectQueryBuilder<DB, TB, Row> {
  const id = column as never // the generic builder cannot know which columns there are
  const page = before === undefined ? query : query.where(id, '<', before as never)
  return page.orderBy(id, 'desc').limit(limit)
}
