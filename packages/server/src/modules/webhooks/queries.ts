import type { DeliveryQuery } from '@service/contract/admin/deliveries'
import { type Insertable, sql, type Updateable } from 'kysely'
import type * as z from 'zod/mini'
import { microsPerHour } from '../../core/clock.ts'
import type { Page, SortablePage } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { listFiltered } from '../../store/filtered-list.ts'
import { integerKey, newestFirst, type SortOrder, sortedBy } from '../../store/list-query.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { SubscriptionsTable } from './table.ts'

export type NewSubscriptionRow = Insertable<SubscriptionsTable>

const shownSubscriptions = (db: Db) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('delivery_queues', (join) =>
      join
        .onRef('delivery_queues.workspace_id', '=', 'subscriptions.workspace_id')
        .onRef('delivery_queues.subscription_id', '=', 'subscriptions.id'),
    )
    .select([
      'id',
      'subscriptions.workspace_id',
      'url_encrypted',
      'description',
      'previous_secret_until',
      'encoding',
      'standard_webhooks',
      'headers_encrypted',
      'rate_per_minute',
      'schedule',
      'fifo',
      'created_at',
      'updated_at',
      'disabled_at',
      'disabled_reason',
      'failing_since',
      'last_success_at',
      'last_failure_at',
    ])
    .where('deleted_at', 'is', null)

export type SubscriptionRow = Awaited<ReturnType<typeof listSubscriptions>>[number]

/** The text is that of the index. Failing subscriptions have the largest keys. */
const stateKey = sql<number>`(case when disabled_reason = 'deleted' then 0 when disabled_at is not null then 1 when failing_since is null then 2
  else 9000000000000000 - failing_since end)`

// Ranges, because SQLite would sort the rows of a single key.
const stateFilters = {
  failing: sql<boolean>`${stateKey} > 2`,
  active: sql<boolean>`${stateKey} > 1 and ${stateKey} < 3`,
  off: sql<boolean>`${stateKey} > 0 and ${stateKey} < 2`,
  any: sql<boolean>`${stateKey} > 0`,
} as const

const subscriptionOrders = {
  state: { key: stateKey, direction: 'desc', pattern: integerKey },
} as const satisfies Record<string, SortOrder>

export interface SubscriptionQuery extends SortablePage<keyof typeof subscriptionOrders> {
  /** Requires `sort`. */
  readonly state?: Exclude<keyof typeof stateFilters, 'any'> | undefined
}

function subscriptionPage(db: Db, workspaceId: number, { state, ...page }: SubscriptionQuery) {
  const all = shownSubscriptions(db).where('subscriptions.workspace_id', '=', workspaceId)
  const filtered =
    page.sort === undefined
      ? all
      : all.where('delivery_queues.workspace_id', '=', workspaceId).where(stateFilters[state ?? 'any'])
  return sortedBy(filtered, page, {
    orders: subscriptionOrders,
    id: page.sort === undefined ? 'subscriptions.id' : 'delivery_queues.subscription_id',
  })
}

export const listSubscriptions = (db: Db, workspaceId: number, query: SubscriptionQuery) =>
  subscriptionPage(db, workspaceId, query).execute()

/** The number of subscriptions in each state, at most `most` each. */
export async function countSubscriptions(db: Db, workspaceId: number, most: number) {
  const counted = (state: keyof typeof stateFilters) =>
    sql<number>`(select count(*) from (select 1 from delivery_queues
      where workspace_id = ${workspaceId} and ${stateFilters[state]} limit ${most}) as counted)`.as(state)
  const { rows } = await sql<Record<keyof typeof stateFilters, number | string>>`
    select ${counted('failing')}, ${counted('active')}, ${counted('off')}`.execute(db)
  const [row] = rows
  return { failing: Number(row?.failing), active: Number(row?.active), off: Number(row?.off) }
}

export const findSubscription = (db: Db, workspaceId: number, id: number) =>
  shownSubscriptions(db).where('subscriptions.workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const insertSubscription = async (db: Db, row: NewSubscriptionRow): Promise<number> =>
  (await db.insertInto('subscriptions').values(row).returning('id').executeTakeFirstOrThrow()).id

export const updateSubscription = (db: Db, { workspaceId, id }: RowRef, patch: Updateable<SubscriptionsTable>) =>
  db.updateTable('subscriptions').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export async function findEncryptedSecret(db: Db, { workspaceId, id }: RowRef): Promise<string> {
  const { secret_encrypted } = await db
    .selectFrom('subscriptions')
    .select('secret_encrypted')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return secret_encrypted
}

export type EncryptedRow = Awaited<ReturnType<typeof listEncrypted>>[number]

const encrypted = (db: Db) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'workspace_id', 'secret_encrypted', 'url_encrypted', 'headers_encrypted'])
    .where('deleted_at', 'is', null)

/** The encrypted columns of each subscription, in all workspaces. */
export const listEncrypted = (db: Db) => encrypted(db).orderBy('id').modifyEnd(acrossWorkspaces('encryption')).execute()

/** The encrypted columns of one subscription. */
export const findEncrypted = (db: Db, { workspaceId, id }: RowRef) =>
  encrypted(db).where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export const listPatterns = (db: Db, workspaceId: number, ids: readonly number[]) =>
  db
    .selectFrom('subscription_events')
    .select(['subscription_id', 'pattern'])
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', 'in', ids.length === 0 ? [0] : ids)
    .orderBy('pattern')
    .execute()

export async function replacePatterns(db: Db, { workspaceId, id }: RowRef, patterns: readonly string[]): Promise<void> {
  await db
    .deleteFrom('subscription_events')
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', id)
    .execute()
  if (patterns.length === 0) return
  const rows = [...new Set(patterns)].map((pattern) => ({ workspace_id: workspaceId, subscription_id: id, pattern }))
  await db.insertInto('subscription_events').values(rows).execute()
}

const shownDeliveries = (db: Db) =>
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
  readonly state?: z.output<typeof DeliveryQuery>['state']
  readonly id?: number | undefined
}

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number]

/** The condition of the index on failed and held deliveries. Few are, so it costs little. */
const isUnsent = sql<boolean>`deliveries.state in ('failed', 'held')`

export function listDeliveries(
  { dialect, db }: Store,
  { workspaceId, subscriptionId, state, id }: DeliveryFilter,
  page: Page,
) {
  const hasIndex = state === 'failed' || state === 'held'
  return listFiltered(dialect, {
    all: shownDeliveries(db)
      .where('deliveries.workspace_id', '=', workspaceId)
      .$if(hasIndex, (all) => all.where(isUnsent)),
    keys: db
      .selectFrom('deliveries')
      .where('deliveries.workspace_id', '=', workspaceId)
      .$if(hasIndex, (all) => all.where(isUnsent)),
    page,
    orders: {},
    id: 'deliveries.id',
    filters: {
      'deliveries.id': id,
      'deliveries.state': state === 'retrying' ? 'pending' : state,
      'deliveries.attempt_class': state === 'retrying' ? 1 : undefined,
      'deliveries.subscription_id': subscriptionId,
    },
    indexed: ['deliveries.id', ...(hasIndex ? ['deliveries.state'] : []), 'deliveries.subscription_id'],
  })
}

/** The values that delivery UUIDs are computed from, newest first. */
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
  shownDeliveries(db)
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

/** A period that is split into parts of equal length. */
export interface DeliveryPeriod {
  readonly workspaceId: number
  /** Omit it to count the whole workspace. */
  readonly subscriptionId?: number | undefined
  readonly since: number
  readonly length: number
}

/**
 * The number of deliveries created in each part, by the number of the part. A delivery that has only failed so far counts as
 * failed; one that waits for its first attempt is not counted.
 */
export async function countByPart(db: Db, { workspaceId, subscriptionId, since, length }: DeliveryPeriod) {
  const first = since / microsPerHour
  const rows = await db
    .selectFrom('delivery_counts')
    .select(({ fn }) => ['hour', fn.sum<number>('succeeded').as('succeeded'), fn.sum<number>('failed').as('failed')])
    .where('workspace_id', '=', workspaceId)
    .where('hour', '>=', first)
    .$if(subscriptionId !== undefined, (counts) => counts.where('subscription_id', '=', subscriptionId ?? 0))
    .groupBy('hour')
    .execute()
  return rows.map(({ hour, succeeded, failed }) => ({
    part: Math.floor((hour - first) / (length / microsPerHour)),
    succeeded: Number(succeeded),
    failed: Number(failed),
  }))
}
