import type { SelectQueryBuilder } from 'kysely'

/** Only rows that have these values; what is undefined does not matter. */
export function whereEqual<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  values: Readonly<Record<string, string | number | undefined>>,
): SelectQueryBuilder<DB, TB, Row> {
  let filtered = query
  for (const [column, value] of Object.entries(values))
    if (value !== undefined) filtered = filtered.where(column as never, '=', value as never) // as in `newestFirst`
  return filtered
}
