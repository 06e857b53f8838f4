import type { App } from '../../core/context.ts'
import { countByApp } from './flow-queries.ts'

/** How many reports of how many errors each application has sent on this day (UTC) and later. */
export async function countErrorsByApp({ db }: App, workspaceId: number, day: string) {
  const rows = await countByApp(db, workspaceId, day)
  return rows.map(({ app, reports, kinds }) => ({ app, reports: Number(reports), kinds: Number(kinds) }))
}
