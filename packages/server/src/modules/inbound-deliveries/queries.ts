import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/list-query.ts'
import { preparedInsert } from '../../store/prepared.ts'
import type { InboundDeliveriesTable } from './table.ts'

type NewRow = Omit<InboundDeliveriesTable, 'id'>

export const insertDelivery = preparedInsert<NewRow>((db, param) =>
  db.insertInto('inbound_deliveries').values({
    workspace_id: param('workspace_id'),
    integration: param('integration'),
    status: param('status'),
    summary: param('summary'),
    request_id: param('request_id'),
    received_at: param('received_at'),
  }),
)

/** Keeps the newest `keep` of one integration. */
export const pruneDeliveries = (
  db: Db,
  { workspaceId, integration, keep }: { workspaceId: number; integration: string; keep: number },
) =>
  db
    .deleteFrom('inbound_deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('integration', '=', integration)
    .where('id', '<', (query) =>
      query
        .selectFrom('inbound_deliveries as kept')
        .select('kept.id')
        .where('kept.workspace_id', '=', workspaceId)
        .where('kept.integration', '=', integration)
        .orderBy('kept.id', 'desc')
        .limit(1)
        .offset(keep - 1),
    )
    .execute()

export interface InboundFilter extends Page {
  readonly integration?: string | undefined
}

export const listDeliveries = (db: Db, workspaceId: number, { integration, ...page }: InboundFilter) =>
  newestFirst(
    db
      .selectFrom('inbound_deliveries')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .$if(integration !== undefined, (query) => query.where('integration', '=', integration ?? '')),
    page,
  ).execute()
