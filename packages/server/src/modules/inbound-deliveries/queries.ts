import { type DeleteResult, sql, type UpdateResult } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/list-query.ts'
import { prepared, preparedInsert } from '../../store/prepared.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
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
    device_id: param('device_id'),
    source: param('source'),
    content_type: param('content_type'),
    body: param('body'),
    opened: param('opened'),
    counted: param('counted'),
  }),
)

/** A delivery with its body. */
export const findDelivery = (db: Db, { workspaceId, id }: RowRef) =>
  db
    .selectFrom('inbound_deliveries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const updateDelivery = (
  db: Db,
  { workspaceId, id }: RowRef,
  changed: Pick<InboundDeliveriesTable, 'status' | 'summary' | 'opened' | 'counted'>,
) =>
  db
    .updateTable('inbound_deliveries')
    .set(changed)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

/** What the deliveries of an integration whose bodies are stored were counted as. */
export const listCounted = (
  db: Db,
  { workspaceId, integration }: { readonly workspaceId: number; readonly integration: string },
) =>
  db
    .selectFrom('inbound_deliveries')
    .select(['id', 'counted'])
    .where('workspace_id', '=', workspaceId)
    .where('integration', '=', integration)
    .where('counted', 'is not', null)
    .where('body', 'is not', null)
    .execute()

export const setCounted = (db: Db, { workspaceId, id, counted }: RowRef & { readonly counted: string }) =>
  db
    .updateTable('inbound_deliveries')
    .set({ counted })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

interface Newest {
  readonly workspaceId: number
  readonly integration: string
  readonly keep: number
}

/** The newest delivery of an integration after the newest `keep`. */
const firstAfter = (db: Db, param: <Name extends keyof Newest>(name: Name) => Newest[Name]) =>
  db
    .selectFrom('inbound_deliveries as kept')
    .select('kept.id')
    .where('kept.workspace_id', '=', param('workspaceId'))
    .where('kept.integration', '=', param('integration'))
    .orderBy('kept.id', 'desc')
    .limit(sql.lit(1))
    .offset(param('keep'))

/** Drops an integration's bodies, except the newest `keep`. */
export const dropBodies = prepared<Newest, UpdateResult>((db, param) =>
  db
    .updateTable('inbound_deliveries')
    .set({ body: null })
    .where('workspace_id', '=', param('workspaceId'))
    .where('integration', '=', param('integration'))
    .where('body', 'is not', null)
    .where('id', '<=', firstAfter(db, param).where('kept.body', 'is not', null)),
)

/** Deletes an integration's deliveries, except the newest `keep`. */
export const pruneDeliveries = prepared<Newest, DeleteResult>((db, param) =>
  db
    .deleteFrom('inbound_deliveries')
    .where('workspace_id', '=', param('workspaceId'))
    .where('integration', '=', param('integration'))
    .where('id', '<=', firstAfter(db, param)),
)

export interface InboundFilter extends Page {
  readonly integration?: string | undefined
}

export const listDeliveries = (db: Db, workspaceId: number, { integration, ...page }: InboundFilter) =>
  newestFirst(
    db
      .selectFrom('inbound_deliveries')
      .select(['id', 'integration', 'source', 'status', 'summary', 'request_id', 'received_at', 'opened', 'counted'])
      .select(({ eb }) => eb('body', 'is not', null).as('has_body'))
      .where('workspace_id', '=', workspaceId)
      .$if(integration !== undefined, (query) => query.where('integration', '=', integration ?? '')),
    page,
  ).execute()
