import type { Page } from '@service/client/admin'

/** All rows of an admin list, newest first. */
export async function everyPage<Row>(
  list: (query: { limit: number; before: number | undefined }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let before: number | undefined; ; ) {
    const page = await list({ limit: 200, before })
    rows.push(...page.data)
    if (page.next_before === null) return rows
    before = page.next_before
  }
}
