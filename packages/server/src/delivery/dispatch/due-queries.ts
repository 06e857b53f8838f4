import { type RawBuilder, sql } from 'kysely'
import type { Micros } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'
import { jsonIds } from '../../store/list-query.ts'
import { prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import { isOfQueues } from '../leases/queue-queries.ts'
import type { QueueRef } from '../table.ts'
import type { DueDelivery } from './request.ts'

export interface DueQuestion extends QueueRef {
  readonly now: Micros
  readonly limit: number
  /** Ids of deliveries that the caller already holds. */
  readonly except: readonly number[]
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
export async function findDue(store: Store, question: DueQuestion): Promise<DueRow[]> {
  if (question.fifo) return findInOrder(store, question)
  const fresh = await findOfClass(store, 0, question)
  const again = await findOfClass(store, 1, question)
  const recorded = Math.min(again.length, Math.ceil(question.limit / 8))
  return [...fresh.slice(0, question.limit - recorded), ...again].slice(0, question.limit)
}

/**
 * A failed delivery blocks the queue until it is due. The index orders the rest by time. Deliveries close in time are
 * sorted by event id, because the clocks of several machines differ.
 */
async function findInOrder(store: Store, question: DueQuestion): Promise<DueRow[]> {
  const again = await rowsOf(store, question, { attempt_class: 1, rest: sql`order by event_id` })
  const firstLater = again.findIndex(({ next_attempt_at }) => next_attempt_at > question.now)
  if (firstLater >= 0) return again.slice(0, firstLater)
  const fresh = await rowsOf(store, question, { attempt_class: 0, rest: inTurn })
  const rest = fresh.slice(0, question.limit - again.length).sort((one, other) => one.event_id - other.event_id)
  return [...again, ...rest]
}

const inTurn = sql`order by next_attempt_at, deliveries.id`

const findOfClass = (store: Store, attempt_class: number, question: DueQuestion) =>
  rowsOf(store, question, { attempt_class, rest: sql`and next_attempt_at <= ${question.now} ${inTurn}` })

const deliveryColumns = sql`deliveries.id, event_id, attempts, attempts_before, next_attempt_at, name, key, is_test,
  octet_length(body) as size`

const eventOf = sql`events on events.workspace_id = deliveries.workspace_id and events.id = deliveries.event_id`

async function rowsOf(
  { dialect, db }: Store,
  { workspaceId, subscriptionId, limit, except }: DueQuestion,
  { attempt_class, rest }: { attempt_class: number; rest: RawBuilder<unknown> },
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`select ${deliveryColumns},
      case when octet_length(body) <= ${sql.lit(largeBytes)} then body end as body
    from deliveries join ${eventOf}
    where deliveries.workspace_id = ${workspaceId} and subscription_id = ${subscriptionId} and state = 'pending' and attempt_class = ${sql.lit(attempt_class)}
      and deliveries.id not in ${jsonIds(dialect, except)} ${rest} limit ${limit}`.execute(db)
  return rows
}

export async function findDelivery({ db }: Store, { workspaceId, id }: RowRef): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`select ${deliveryColumns}, body
    from deliveries join ${eventOf}
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

export const readTargets = ({ dialect, db }: Store, queues: readonly QueueRef[]) =>
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

export type TargetRow = Awaited<ReturnType<typeof readTargets>>[number]

export const hasSubscriptions = async (db: Db): Promise<boolean> => (await anyQueue(db, {})).length > 0

const anyQueue = prepared((db) =>
  db.selectFrom('delivery_queues').select('subscription_id').limit(1).modifyEnd(acrossWorkspaces('delivery')),
)
