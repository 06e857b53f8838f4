import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { earliest, type Micros } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'
import { databaseMicros } from '../../store/database-facts.ts'
import { hasKey, jsonIds } from '../../store/list-query.ts'
import { forEachRow, prepared } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import { inTransaction } from '../../store/transaction.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { DeliveryQueuesTable, JobKind, QueueRef } from '../table.ts'
import { firstSendLimit, minFailingDays } from './health.ts'

export const insertQueue = (db: Db, { workspaceId, subscriptionId }: QueueRef) =>
  db
    .insertInto('delivery_queues')
    .values({
      workspace_id: workspaceId,
      subscription_id: subscriptionId,
      send_limit: firstSendLimit,
      failures_in_a_row: 0,
      failing_days: 0,
    })
    .execute()

export const updateQueue = (
  db: Db,
  { workspaceId, subscriptionId }: QueueRef,
  change: Partial<Omit<DeliveryQueuesTable, 'workspace_id' | 'subscription_id'>>,
) =>
  db
    .updateTable('delivery_queues')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId)
    .execute()

export const isOfQueues = (dialect: Store['dialect'], queues: readonly QueueRef[], table = 'delivery_queues') =>
  hasKey(
    { dialect, id: `${table}.subscription_id`, workspaceId: `${table}.workspace_id` },
    queues.map(({ subscriptionId: id, workspaceId }) => ({ id, workspaceId })),
  )

const queueKey = sql`subscription_id as "subscriptionId", workspace_id as "workspaceId"`

/**
 * Marks queues due, and notifies the holders of leased ones. A paused queue becomes due after its pause: otherwise a dead
 * receiver with many events would be polled all the time. Only the holder of a leased queue knows whether it is paused.
 */
export async function markDue({ dialect, db }: Store, queues: readonly QueueRef[], at: Micros): Promise<void> {
  const due = sql`case when lease_token is null and paused_until > ${at} then paused_until else cast(${at} as bigint) end`
  await sql`update delivery_queues set due_at = case when lease_token is null then ${due} else due_at end,
      notified_at = case when lease_token is null then null else ${due} end
    where ${isOfQueues(dialect, queues)}
      and (case when lease_token is null then due_at else notified_at end > ${due}) is not false`.execute(db)
}

// Workers find rows without locking them and repeat the condition in the write, because a distributed database cannot
// lock rows of several shards. Of two workers that find the same row, the second waits for the first and changes nothing.

/** A queue that has deliveries of new events. */
export interface RoutedQueue extends QueueRef {
  readonly firstEventId: number
}

/** Deletes routing notices of new events and returns the queues that have deliveries of them. */
export async function takeUnroutedEvents(
  { dialect, db }: Store,
  limit: number,
): Promise<{ events: number; queues: RoutedQueue[] }> {
  const { rows: found } = await sql<RowRef>`select event_id as id, workspace_id as "workspaceId" from unrouted_events
    order by event_id limit ${limit} ${acrossWorkspaces('delivery')}`.execute(db)
  if (found.length === 0) return { events: 0, queues: [] }
  const isOfEvents = (events: readonly RowRef[]) =>
    hasKey({ dialect, id: 'event_id', workspaceId: 'workspace_id' }, events)
  const { rows: events } = await sql<RowRef>`delete from unrouted_events where ${isOfEvents(found)}
    returning event_id as id, workspace_id as "workspaceId"`.execute(db)
  if (events.length === 0) return { events: 0, queues: [] }
  const { rows: queues } = await sql<RoutedQueue>`select ${queueKey}, min(event_id) as "firstEventId" from deliveries
    where ${isOfEvents(events)} and state = 'pending' group by subscription_id, workspace_id`.execute(db)
  return { events: events.length, queues }
}

export interface Lease {
  readonly token: string
  readonly now: Micros
  readonly until: Micros
}

interface Claim extends Lease {
  readonly dueBy: Micros
  /** The workspaces whose queues are left out. */
  readonly except?: readonly number[]
  /** The subscriptions whose queues are left out. */
  readonly exceptQueues?: readonly number[]
}

const isClaimable = ({ dueBy, now }: Claim) =>
  sql`due_at <= ${dueBy} and disabled_at is null and (lease_until is null or lease_until <= ${now})`

/** Queues that are due by `dueBy` and not leased, the longest due ones first. */
export async function findClaimable({ dialect, db }: Store, claim: Claim, limit: number): Promise<QueueRef[]> {
  const { except = [], exceptQueues = [] } = claim
  const isNotIn = (column: 'workspace_id' | 'subscription_id', ids: readonly number[]) =>
    ids.length === 0 ? sql`` : sql`and ${sql.ref(column)} not in ${jsonIds(dialect, ids)}`
  const isWanted = sql`${isNotIn('workspace_id', except)} ${isNotIn('subscription_id', exceptQueues)}`
  const { rows } = await sql<QueueRef>`select ${queueKey} from delivery_queues where ${isClaimable(claim)} ${isWanted}
    order by due_at limit ${limit} ${acrossWorkspaces('delivery')}`.execute(db)
  return rows
}

/** Leases those of the queues that can still be leased, and returns them. Two workers never get the same one. */
export async function claimQueues(
  { dialect, db }: Store,
  claim: Claim,
  queues: readonly QueueRef[],
): Promise<QueueRef[]> {
  const { rows } = await sql<QueueRef>`update delivery_queues
    set lease_until = ${claim.until}, lease_token = ${claim.token}, notified_at = null
    where ${isOfQueues(dialect, queues)} and ${isClaimable(claim)} returning ${queueKey}`.execute(db)
  return rows
}

const changedQueues = prepared<{ token: string; now: Micros }, QueueRef>((db, param) =>
  db
    .selectFrom('delivery_queues')
    .select(['subscription_id as subscriptionId', 'workspace_id as workspaceId'])
    .where('due_at', '<=', param('now'))
    .where('notified_at', '<=', param('now'))
    .where('lease_token', '=', param('token'))
    .modifyEnd(acrossWorkspaces('delivery')),
)

export const findChangedQueues = ({ db }: Store, { token, now }: Lease): Promise<QueueRef[]> =>
  changedQueues(db, { token, now })

/**
 * Renews leases and returns those that were still held. This erases notices from other processes, so read what they
 * announced after this call, not before.
 */
export async function renewLeasesAndReadNotices(
  store: Store,
  lease: Lease,
  queues: readonly QueueRef[],
): Promise<QueueRef[]> {
  return store.db
    .updateTable('delivery_queues')
    .set({ lease_until: lease.until, notified_at: null })
    .where(isOfQueues(store.dialect, queues))
    .where('lease_token', '=', lease.token)
    .returning(['subscription_id as subscriptionId', 'workspace_id as workspaceId'])
    .execute()
}

/** Extends leases and returns their queues. Notices for the holder are kept. */
export async function extendLeases(
  { dialect, db }: Store,
  lease: Lease,
  queues: readonly QueueRef[],
): Promise<QueueRef[]> {
  const { rows } = await sql<QueueRef>`update delivery_queues set lease_until = ${lease.until}
    where ${isOfQueues(dialect, queues)} and lease_token = ${lease.token} returning ${queueKey}`.execute(db)
  return rows
}

type QueueRow = Omit<DeliveryQueuesTable, 'lease_until' | 'lease_token' | 'due_at' | 'notified_at'>

export interface SavedQueue extends QueueRow {
  /** When to claim it next, or null; only for a queue that is released. */
  readonly due_at: Micros | null
  /** The end of its pause, before which a notice does not make it due. */
  readonly not_before: Micros
  readonly released: 0 | 1
}

const savedColumns = {
  workspace_id: 'bigint',
  subscription_id: 'bigint',
  send_limit: 'bigint',
  failures_in_a_row: 'bigint',
  paused_until: 'bigint',
  paced_until: 'bigint',
  failing_since: 'bigint',
  failing_days: 'bigint',
  last_success_at: 'bigint',
  last_failure_at: 'bigint',
  disabled_at: 'bigint',
  disabled_reason: 'text',
  due_at: 'bigint',
  not_before: 'bigint',
  released: 'bigint',
} as const satisfies Record<keyof SavedQueue, string>

/** When a released queue is due: at the time of a notice that its holder has not read, if that is earlier. */
const dueAfterRelease = (dueAt: RawBuilder<unknown>, notBefore: RawBuilder<unknown>) => {
  const noticed = sql`case when delivery_queues.notified_at < ${notBefore} then ${notBefore} else delivery_queues.notified_at end`
  return sql<Micros | null>`case when ${dueAt} is null or ${noticed} < ${dueAt} then ${noticed} else ${dueAt} end`
}

/** A worker that lost the lease changes nothing. A queue that was disabled meanwhile stays disabled and is not due. */
const saveQueue = forEachRow<SavedQueue & { readonly token: string }>(
  { ...savedColumns, token: 'text' },
  ({ of, from, inWorkspaces }) => sql`update delivery_queues set
      send_limit = ${of('send_limit')}, failures_in_a_row = ${of('failures_in_a_row')},
      paused_until = ${of('paused_until')}, paced_until = ${of('paced_until')}, failing_since = ${of('failing_since')}, failing_days = ${of('failing_days')},
      last_success_at = ${of('last_success_at')}, last_failure_at = ${of('last_failure_at')},
      disabled_reason = coalesce(delivery_queues.disabled_reason, ${of('disabled_reason')}),
      disabled_at = coalesce(delivery_queues.disabled_at, ${of('disabled_at')}),
      due_at = case when ${of('released')} = 0 then delivery_queues.due_at
        when coalesce(delivery_queues.disabled_at, ${of('disabled_at')}) is not null then null
        else ${dueAfterRelease(of('due_at'), of('not_before'))} end,
      notified_at = case when ${of('released')} = 0 then delivery_queues.notified_at end,
      lease_until = case when ${of('released')} = 0 then delivery_queues.lease_until end,
      lease_token = case when ${of('released')} = 0 then delivery_queues.lease_token end
    ${from} where ${inWorkspaces('delivery_queues.workspace_id')}
      and delivery_queues.workspace_id = ${of('workspace_id')}
      and delivery_queues.subscription_id = ${of('subscription_id')}
      and delivery_queues.lease_token = ${of('token')}`,
)

export const saveQueues = (store: Store, token: string, queues: readonly SavedQueue[]): Promise<void> =>
  saveQueue(
    store,
    queues.map((queue) => ({ ...queue, token })),
  )

/** Releases a queue without changing its health. It is due earlier if its holder was notified meanwhile. */
export const releaseQueue = (
  app: App,
  { workspaceId, subscriptionId, token, dueAt }: QueueRef & { readonly token: string; readonly dueAt: Micros },
) =>
  inTransaction(app, ({ db }) =>
    db
      .updateTable('delivery_queues')
      .set({
        due_at: dueAfterRelease(sql`cast(${dueAt} as bigint)`, sql`cast(0 as bigint)`),
        notified_at: null,
        lease_until: null,
        lease_token: null,
      })
      .where('workspace_id', '=', workspaceId)
      .where('subscription_id', '=', subscriptionId)
      .where('lease_token', '=', token)
      .execute(),
  )

const failing = prepared<object, { since: number | null }>((db) =>
  db
    .selectFrom('delivery_queues')
    .select((select) => select.fn.min('failing_since').as('since'))
    .where('failing_since', 'is not', null)
    .where('disabled_at', 'is', null)
    .where('failing_days', '>=', sql.lit(minFailingDays))
    .modifyEnd(acrossWorkspaces('delivery')),
)

/** The earliest start of failure among the queues that failed on several days. */
export const longestFailing = async (db: Db): Promise<Micros | undefined> =>
  (await failing(db, {}))[0]?.since ?? undefined

/** Queues that have been failing since `failingSince` or longer, on several days. */
const isLongFailing = (failingSince: Micros) =>
  sql<boolean>`failing_since <= ${failingSince} and disabled_at is null and failing_days >= ${sql.lit(minFailingDays)}`

export async function findLongFailing(
  { db }: Store,
  { failingSince, limit }: { readonly failingSince: Micros; readonly limit: number },
): Promise<QueueRef[]> {
  const { rows } = await sql<QueueRef>`select ${queueKey} from delivery_queues where ${isLongFailing(failingSince)}
    order by subscription_id limit ${limit} ${acrossWorkspaces('delivery')}`.execute(db)
  return rows
}

/** Returns false if the queue has succeeded or was disabled meanwhile. */
export async function disableLongFailing(
  db: Db,
  { workspaceId, subscriptionId }: QueueRef,
  { failingSince, now }: { readonly failingSince: Micros; readonly now: Micros },
): Promise<boolean> {
  const disabled = await db
    .updateTable('delivery_queues')
    .set({ disabled_at: now, disabled_reason: 'failing' })
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId)
    .where(isLongFailing(failingSince))
    .returning('subscription_id')
    .execute()
  return disabled.length > 0
}

/**
 * The position of a pending delivery among those of its class: new ones in the order of their events, retries by time. The
 * text is that of an index, see `0018-delivery-order.ts`.
 */
export const position = sql`(case attempt_class when 0 then event_id else next_attempt_at end)`

export interface NewJob {
  readonly kind: JobKind
  readonly workspaceId: number
  readonly subscriptionId: number
  readonly since: Micros
  readonly lastId: number
  readonly now: Micros
}

export const insertJob = async (db: Db, { kind, workspaceId, subscriptionId, since, lastId, now }: NewJob) =>
  db
    .insertInto('delivery_jobs')
    .values({
      workspace_id: workspaceId,
      subscription_id: subscriptionId,
      kind,
      since,
      cursor: 0,
      last_id: lastId,
      done: 0,
      state: 'running',
      created_at: now,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Whether a job is adding or requeuing deliveries of a queue. An ordered queue waits until it knows all of them. */
export const isBeingFilled = ({ workspaceId, subscriptionId }: Record<keyof QueueRef, number | RawBuilder<unknown>>) =>
  sql<boolean>`exists (select 1 from delivery_jobs where delivery_jobs.workspace_id = ${workspaceId}
    and delivery_jobs.subscription_id = ${subscriptionId} and delivery_jobs.state = 'running' and kind <> 'hold')`

/** When the next delivery of each queue is due, if any. */
export async function findNextDue({ dialect, db }: Store, queues: readonly QueueRef[]): Promise<Map<number, Micros>> {
  const first = (attempt_class: number, column: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql`(select ${column} from deliveries
      where deliveries.workspace_id = queue.workspace_id and deliveries.subscription_id = queue.subscription_id
        and state = 'pending' and attempt_class = ${sql.lit(attempt_class)} order by ${order} limit 1)`
  const [dueAt, eventId] = [sql`next_attempt_at`, sql`event_id`]
  const filled = isBeingFilled({
    workspaceId: sql.ref('queue.workspace_id'),
    subscriptionId: sql.ref('queue.subscription_id'),
  })
  const { rows } = await sql<NextDue>`select queue.subscription_id, ${first(0, dueAt, position)} as fresh, fifo,
      case when fifo = 1 then ${first(0, eventId, position)} end as fresh_event,
      case when fifo = 1 then ${first(1, eventId, eventId)} end as again_event,
      case when fifo = 1 then ${first(1, dueAt, eventId)} else ${first(1, dueAt, position)} end as again,
      case when fifo = 1 and ${filled} then 1 else 0 end as is_filled
    from delivery_queues as queue
      join subscriptions on subscriptions.workspace_id = queue.workspace_id and subscriptions.id = queue.subscription_id
    where ${isOfQueues(dialect, queues, 'queue')}`.execute(db)
  return new Map(
    rows.flatMap((row) => {
      const due = row.fifo === 1 ? nextInOrder(row) : earliest([row.fresh ?? undefined, row.again ?? undefined])
      return due === null || due === undefined ? [] : [[row.subscription_id, due]]
    }),
  )
}

interface NextDue {
  readonly subscription_id: number
  readonly fresh: Micros | null
  readonly again: Micros | null
  readonly fifo: number
  readonly fresh_event: number | null
  readonly again_event: number | null
  readonly is_filled: number
}

/** A queue that a job is filling is marked due by the job. */
function nextInOrder({ fresh, again, fresh_event, again_event, is_filled }: NextDue): Micros | null {
  if (is_filled === 1) return null
  const isRetryFirst = again_event !== null && (fresh_event === null || again_event < fresh_event)
  return isRetryFirst ? again : fresh
}

export interface PendingWork {
  readonly arrived: boolean
  readonly due: boolean
  readonly jobs: boolean
  readonly nextAt: Micros | undefined
}

interface PendingWorkRow {
  readonly arrived: number
  readonly jobs: number
  readonly due: number
  readonly next_at: number | null
  /** When the first lease ends, unless its holder renews it. */
  readonly lease_ends_at: number | null
  /** The database's clock, if several processes share it. */
  readonly clock: number | null
}

const pendingWorkQuery = (clock: RawBuilder<unknown>) =>
  prepared<{ now: Micros }, PendingWorkRow>((db, param) => ({
    compile: () =>
      sql<PendingWorkRow>`select
      case when exists (select 1 from unrouted_events) then 1 else 0 end as arrived,
      case when exists (select 1 from delivery_jobs where state = 'running') then 1 else 0 end as jobs,
      case when exists (select 1 from delivery_queues where due_at <= ${param('now')} and disabled_at is null
        and (lease_until is null or lease_until <= ${param('now')})) then 1 else 0 end as due,
      (select min(due_at) from delivery_queues where due_at > ${param('now')}) as next_at,
      (select min(lease_until) from delivery_queues where due_at <= ${param('now')} and lease_until > ${param('now')}) as lease_ends_at,
      ${clock} as clock ${acrossWorkspaces('delivery')}`.compile(db),
  }))

const pendingWorkQueries = { sqlite: pendingWorkQuery(sql`null`), postgres: pendingWorkQuery(databaseMicros) }

/**
 * The work pending for a worker. Only reads, so an idle worker writes nothing. It includes the clock of a shared
 * database, so that all workers keep the same time without an extra query.
 */
export async function peekPendingWork({
  store: { db, dialect },
  clock,
}: Pick<App, 'store' | 'clock'>): Promise<PendingWork> {
  const sentAtMs = clock.elapsedMs()
  const [row] = await pendingWorkQueries[dialect](db, { now: clock.scheduleNow() })
  if (row !== undefined && row.clock !== null)
    clock.syncSchedule?.({ databaseTime: row.clock, sentAtMs, receivedAtMs: clock.elapsedMs() })
  const nextAt = earliest([row?.next_at ?? undefined, row?.lease_ends_at ?? undefined])
  return { arrived: row?.arrived === 1, jobs: row?.jobs === 1, due: row?.due === 1, nextAt }
}

/** When the next queue or job is due, possibly in the past; now if an event has just arrived. */
export async function nextDeliveryAt({ db }: Store, now: Micros): Promise<Micros | undefined> {
  const { rows } = await sql<{ waits: number; due_at: number | null }>`select
      case when exists (select 1 from unrouted_events) or exists (select 1 from delivery_jobs where state = 'running')
        then 1 else 0 end as waits,
      (select min(coalesce(notified_at, lease_until, due_at)) from delivery_queues
        where due_at is not null and disabled_at is null) as due_at
    ${acrossWorkspaces('delivery')}`.execute(db)
  const [row] = rows
  return row?.waits === 1 ? Math.min(now, row.due_at ?? now) : (row?.due_at ?? undefined)
}
