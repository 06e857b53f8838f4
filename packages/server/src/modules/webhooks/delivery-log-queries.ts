import type { deliveryStates } from '@service/contract/admin/deliveries'
import { sql } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/newest-first.ts'
import type { RowRef } from '../../store/workspace-keys.ts'

const shown = (db: Db) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join.onRef('events.workspace_id', '=', 'deliveries.workspace_id').onRef('events.id', '=', 'deliveries.event_id'),
    )
    .innerJoin('delivery_queues', (join) =>
      join
        .onRef('delivery_queues.workspace_id', '=', 'deliveries.workspace_id')
        .onRef('delivery_queues.subscription_id', '=', 'deliveries.subscription_id'),
    )
    .select([
      'deliveries.id',
      'deliveries.subscription_id',
      'event_id',
      'events.name as event',
      'events.key',
      'events.is_test',
      'state',
      'attempts',
      'next_attempt_at',
      'error',
      'deliveries.created_at',
      'finished_at',
      'disabled_reason',
    ])

export interface DeliveryFilter {
  readonly workspaceId: number
  readonly subscriptionId?: number | undefined
  readonly state?: (typeof deliveryStates)[number] | undefined
  readonly id?: number | undefined
}

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number]

export const listDeliveries = (
  db: Db,
  { workspaceId, subscriptionId, state, id }: DeliveryFilter,
  { limit, before }: Page,
) =>
  shown(db)
    .where('deliveries.workspace_id', '=', workspaceId)
    .$if(subscriptionId !== undefined, (query) => query.where('deliveries.subscription_id', '=', subscriptionId ?? 0))
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'pending'))
    .$if(id !== undefined, (query) => query.where('deliveries.id', '=', id ?? 0))
    .$if(before !== undefined, (query) => query.where('deliveries.id', '<', before ?? 0))
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute()

/** What the ids of deliveries that their receivers see are made of, newest first. */
export const listKeys = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(
    db
      .selectFrom('deliveries')
      .innerJoin('events', (join) =>
        join
          .onRef('events.workspace_id', '=', 'deliveries.workspace_id')
          .onRef('events.id', '=', 'deliveries.event_id'),
      )
      .select(['deliveries.id', 'deliveries.subscription_id', 'events.key'])
      .where('deliveries.workspace_id', '=', workspaceId),
    page,
    'deliveries.id',
  ).execute()

export const findDelivery = (db: Db, workspaceId: number, id: number) =>
  shown(db)
    .select('events.body')
    .where('deliveries.workspace_id', '=', workspaceId)
    .where('deliveries.id', '=', id)
    .executeTakeFirst()

/** Newest first. */
export const listAttempts = (db: Db, { workspaceId, id }: RowRef) =>
  db
    .selectFrom('delivery_attempts')
    .select(['id', 'number', 'started_at', 'duration_ms', 'outcome', 'status', 'error', 'response', 'ip'])
    .where('workspace_id', '=', workspaceId)
    .where('delivery_id', '=', id)
    .orderBy('id', 'desc')
    .limit(sql.lit(100))
    .execute()
