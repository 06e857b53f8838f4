import type { App } from '../../core/context.ts'
import { listLatestChanges } from './history-queries.ts'
import * as queries from './queries.ts'
import { toTicketNumber } from './ticket-number.ts'

export type NewestTicket = Awaited<ReturnType<typeof listNewestFacts>>[number]

/** The newest tickets as rules look at them, and what has happened to them that sets rules off. */
export async function listNewestFacts(app: App, workspaceId: number, limit: number) {
  const rows = await queries.listNewestRows(app.db, workspaceId, limit)
  const tags = await queries.listTagsOf(app.store, workspaceId, rows)
  const changes = new Map(
    (
      await listLatestChanges(
        app.store,
        workspaceId,
        rows.map(({ id }) => id),
      )
    ).map(({ ticket_id, changes }) => [ticket_id, Object.keys(JSON.parse(changes))]),
  )
  return rows.map((row) => {
    const { title, description, status, priority, category, assigned_to, created_by, project_id } = row
    return {
      id: row.id,
      shown: { ticket_number: toTicketNumber(row.number), title },
      facts: {
        ...{ title, description, status, priority, category, assigned_to, created_by, project_id },
        tags: tags.get(row.id) ?? [],
      },
      /** The fields of its latest change; null when it was never changed. */
      lastChanged: changes.get(row.id) ?? null,
      breached: [
        ...(row.first_response_breached_at === null ? [] : ['first_response']),
        ...(row.resolution_breached_at === null ? [] : ['resolution']),
      ],
    }
  })
}
