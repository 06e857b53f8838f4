import { type RawBuilder, sql } from 'kysely'
import type { Micros } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'
import { jsonIds } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { QueueRef } from '../table.ts'
import { isBeingFilled, isOfQueues, position } from './queue-queries.ts'
import type { DueDelivery } from './request.ts'

export interface DueQuery extends QueueRef {
  readonly now: Micros
  readonly limit: number
  /** Ids of deliveries that the caller already holds. */
  readonly excludedIds: readonly number[]
  readonly fifo: boolean
}

/** A due delivery. A large body is left in the database until there is memory for it. */
export interface DueRow extends Omit<DueDelivery, 'body'> {
  readonly body: string | null
  readonly next_attempt_at: Micros
}

const largeBytes = 8 * 1024

/**
 * Due deliveries in sending order. New ones come first, so that a backlog of retries does not delay recent events. An
 * eighth of the slots is reserved for retries, so that they do not starve.
 */
export async function findDue(store: Store, query: DueQuery): Promise<DueRow[]> {
  if (query.fifo) return findInOrder(store, query)
  const fresh = await findRows(store, query, { attempt_class: 0, rest: byPosition })
  const retries = await findRows(store, query, {
    attempt_class: 1,
    rest: sql`and ${position} <= ${query.now} ${byPosition}`,
  })
  const reserved = Math.min(retries.length, Math.ceil(query.limit / 8))
  return [...fresh.slice(0, query.limit - reserved), ...retries].slice(0, query.limit)
}

/** In the order of events. A delivery that waits for its retry holds up all later ones. */
async function findInOrder(store: Store, query: DueQuery): Promise<DueRow[]> {
  const isUnchanging = sql`and not ${isBeingFilled(query)}`
  const retries = await findRows(store, query, { attempt_class: 1, rest: sql`${isUnchanging} order by event_id` })
  const fresh = await findRows(store, query, { attempt_class: 0, rest: sql`${isUnchanging} ${byPosition}` })
  const waiting = retries.find(({ next_attempt_at }) => next_attempt_at > query.now)
  return [...retries, ...fresh]
    .filter(({ event_id }) => waiting === undefined || event_id < waiting.event_id)
    .sort((one, other) => one.event_id - other.event_id)
    .slice(0, query.limit)
}

const byPosition = sql`order by ${position}, deliveries.id`

const deliveryColumns = sql`deliveries.id, event_id, attempts, attempts_before, next_attempt_at, name, key, is_test,
  traceparent, octet_length(body) as size`

const eventJoin = sql`events on events.workspace_id = deliveries.workspace_id and events.id = deliveries.event_id`

async function findRows(
  { dialect, db }: Store,
  { workspaceId, subscriptionId, limit, excludedIds }: DueQuery,
  { attempt_class, rest: clauses }: { attempt_class: number; rest: RawBuilder<unknown> },
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`select ${deliveryColumns},
      case when octet_length(body) <= ${sql.lit(largeBytes)} then body end as body
    from deliveries join ${eventJoin}
    where deliveries.workspace_id = ${workspaceId} and subscription_id = ${subscriptionId} and state = 'pending' and attempt_class = ${sql.lit(attempt_class)}
      and deliveries.id not in ${jsonIds(dialect, excludedIds)} ${clauses} limit ${limit}`.execute(db)
  return rows
}

export async function findDelivery({ db }: Store, { workspaceId, id }: RowRef): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`select ${deliveryColumns}, body
    from deliveries join ${eventJoin}
    where deliveries.workspace_id = ${workspaceId} and deliveries.id = ${id}`.execute(db)
  return rows[0]
}

export async function readBody(db: Db, { workspaceId, id }: RowRef): Promise<string> {
  const { body } = await db
    .selectFrom('events')
    .select('body')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return body
}

const targetColumns = [
  'subscriptions.id',
  'subscriptions.workspace_id',
  'url_encrypted',
  'secret_encrypted',
  'previous_secret_encrypted',
  'previous_secret_until',
  'encoding',
  'standard_webhooks',
  'headers_encrypted',
  'rate_per_minute',
  'schedule',
  'fifo',
  'delivery_queues.subscription_id',
  'send_limit',
  'failures_in_a_row',
  'paused_until',
  'paced_until',
  'failing_since',
  'failing_days',
  'last_success_at',
  'last_failure_at',
  'disabled_at',
  'disabled_reason',
] as const

export const findTargets = ({ dialect, db }: Store, queues: readonly QueueRef[]) =>
  db
    .selectFrom('delivery_queues')
    .innerJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.workspace_id', '=', 'delivery_queues.workspace_id')
        .onRef('subscriptions.id', '=', 'delivery_queues.subscription_id'),
    )
    .select(targetColumns)
    .where(isOfQueues(dialect, queues))
    .execute()

export type TargetRow = Awaited<ReturnType<typeof findTargets>>[number]

export const hasSubscriptions = async (db: Db): Promise<boolean> => (await firstQueue(db, {})).length > 0

const firstQueue = prepared((db) =>
  db.selectFrom('delivery_queues').select('subscription_id').limit(1).modifyEnd(acrossWorkspaces('delivery')),
)
