import type { App } from '../../context.ts'
import { formatInstant } from '../../core/clock.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'

const kept = 500
const pruneEvery = 50
const longestSummary = 255

export interface Noted {
  readonly integration: string
  readonly status: number
  readonly summary: string
}

/** Notes a delivery that came with the right secret; inside a transaction it commits with what the delivery did. */
export function noteDelivery(
  app: App,
  { workspaceId, requestId }: { workspaceId: number; requestId: string },
  { integration, status, summary }: Noted,
): Promise<void> {
  return inTransaction(app, async (app) => {
    const id = await queries.insertDelivery(app.db, {
      workspace_id: workspaceId,
      integration,
      status,
      summary: summary.slice(0, longestSummary),
      request_id: requestId,
      received_at: app.clock.now(),
    })
    if (id % pruneEvery === 0) await queries.pruneDeliveries(app.db, { workspaceId, integration, keep: kept })
  })
}

/** The last deliveries of a workspace or of one of its integrations, newest first. */
export async function listDeliveries(app: App, workspaceId: number, filter: queries.InboundFilter) {
  const rows = await queries.listDeliveries(app.db, workspaceId, filter)
  return rows.map(({ workspace_id: _, received_at, ...row }) => ({ ...row, received_at: formatInstant(received_at) }))
}
