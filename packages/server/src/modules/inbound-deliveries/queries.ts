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
    source: param('source'),
    content_type: param('content_type'),
    body: param('body'),
    opened: param('opened'),
    counted: param('counted'),
  }),
)

/** A delivery with its body. */
export const findDelivery = (db: Db, { workspaceId, id }: { workspaceId: number; id: number }) =>
  db
    .selectFrom('inbound_deliveries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Locks a delivery until the transaction ends. False if it does not exist or has opened something. */
export async function claimReplay(db: Db, { workspaceId, id }: { workspaceId: number; id: number }): Promise<boolean> {
  const claimed = await db
    .updateTable('inbound_deliveries')
    .set({ opened: 1 })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('opened', '=', 0)
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

export const updateDelivery = (
  db: Db,
  { workspaceId, id }: { workspaceId: number; id: number },
  changed: Pick<InboundDeliveriesTable, 'status' | 'summary' | 'opened' | 'counted'>,
) =>
  db
    .updateTable('inbound_deliveries')
    .set(changed)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

interface Newest {
  readonly workspaceId: number
  readonly integration: string
  readonly keep: number
}

/** The id of the oldest delivery among the newest `keep` of an integration. */
const oldestKept = (db: Db, { workspaceId, integration, keep }: Newest) =>
  db
    .selectFrom('inbound_deliveries as kept')
    .select('kept.id')
    .where('kept.workspace_id', '=', workspaceId)
    .where('kept.integration', '=', integration)
    .orderBy('kept.id', 'desc')
    .limit(1)
    .offset(keep - 1)

/** Drops the bodies of an integration's deliveries, except the newest `keep`. */
export const dropBodies = (db: Db, newest: Newest) =>
  db
    .updateTable('inbound_deliveries')
    .set({ body: null })
    .where('workspace_id', '=', newest.workspaceId)
    .where('integration', '=', newest.integration)
    .where('body', 'is not', null)
    .where('id', '<', oldestKept(db, newest))
    .execute()

/** Deletes an integration's deliveries, except the newest `keep`. */
export const pruneDeliveries = (db: Db, newest: Newest) =>
  db
    .deleteFrom('inbound_deliveries')
    .where('workspace_id', '=', newest.workspaceId)
    .where('integration', '=', newest.integration)
    .where('id', '<', oldestKept(db, newest))
    .execute()

export interface InboundFilter extends Page {
  readonly integration?: string | undefined
}

export const listDeliveries = (db: Db, workspaceId: number, { integration, ...page }: InboundFilter) =>
  newestFirst(
    db
      .selectFrom('inbound_deliveries')
      .select(['id', 'integration', 'source', 'status', 'summary', 'request_id', 'received_at'])
      .select(({ eb }) => eb('body', 'is not', null).as('has_body'))
      .where('workspace_id', '=', workspaceId)
      .$if(integration !== undefined, (query) => query.where('integration', '=', integration ?? '')),
    page,
  ).execute()
