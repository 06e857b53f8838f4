import { type RawBuilder, sql } from 'kysely'
import { type Micros, microsPerHour } from '../../core/clock.ts'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { jsonIds, newestFirst } from '../../store/list-query.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { DeliveryJobsTable, DeliveryState, JobKind, QueueRef } from '../table.ts'

export type JobRow = Omit<DeliveryJobsTable, 'id'> & { readonly id: number }

export const queueOf = ({ workspace_id, subscription_id }: JobRow): QueueRef => ({
  workspaceId: workspace_id,
  subscriptionId: subscription_id,
})

/** Running jobs, the oldest of each workspace first, beginning with the next workspace. */
export async function findRunning(
  db: Db,
  { lastWorkspaceId, limit }: { readonly lastWorkspaceId: number; readonly limit: number },
): Promise<RowRef[]> {
  const { rows } = await sql<RowRef>`select id, workspace_id as "workspaceId" from delivery_jobs where state = 'running'
    order by case when workspace_id > ${lastWorkspaceId} then 0 else 1 end, workspace_id, id limit ${limit}
    ${acrossWorkspaces('delivery')}`.execute(db)
  return rows
}

/** Locks a running job; undefined if it has finished or another worker has locked it. */
export async function lockJob({ dialect, db }: Store, { workspaceId, id }: RowRef): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`select * from delivery_jobs
    where workspace_id = ${workspaceId} and id = ${id} and state = 'running'
    ${dialect === 'postgres' ? sql`for update skip locked` : sql``}`.execute(db)
  return rows[0]
}

export const saveJob = (
  db: Db,
  { workspace_id, id }: JobRow,
  step: { cursor: number; done: number; finishedAt: Micros | null },
) =>
  db
    .updateTable('delivery_jobs')
    .set((set) => ({
      cursor: step.cursor,
      done: set('done', '+', step.done),
      state: step.finishedAt === null ? 'running' : 'finished',
      finished_at: step.finishedAt,
    }))
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute()

export const isQueueDisabled = async (
  { dialect, db }: Store,
  { workspaceId, subscriptionId }: QueueRef,
  { isLocked }: { readonly isLocked: boolean },
): Promise<boolean> => {
  const row = await db
    .selectFrom('delivery_queues')
    .select('disabled_at')
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId)
    .$if(isLocked && dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  return row === undefined || row.disabled_at !== null
}

/** Holds up to `limit` pending deliveries; returns how many. */
export async function holdPending(
  { db }: Store,
  { workspaceId, subscriptionId }: QueueRef,
  limit: number,
): Promise<number> {
  const { rows } = await sql`update deliveries set state = 'held' where workspace_id = ${workspaceId} and id in (
      select id from deliveries
      where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId} and state = 'pending' limit ${limit}
    ) returning id`.execute(db)
  return rows.length
}

/** The rows a job processes: events of the workspace for a replay, otherwise deliveries of the subscription. */
const rowsOfJob = (kind: JobKind, { workspaceId, subscriptionId }: QueueRef) =>
  kind === 'replay'
    ? sql`events where workspace_id = ${workspaceId}`
    : sql`deliveries where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId}`

export async function nextIds(db: Db, job: JobRow, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from ${rowsOfJob(job.kind, queueOf(job))}
    and id > ${job.cursor} and id <= ${job.last_id} order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The last id that a job processes. */
export async function lastIdFor(db: Db, kind: JobKind, queue: QueueRef): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${rowsOfJob(kind, queue)}`.execute(db)
  return rows[0]?.id ?? 0
}

/**
 * Sends deliveries now, whatever they wait for, and returns how many. The retry schedule restarts; a pending delivery keeps its
 * position in it.
 */
export async function sendNow(
  { dialect, db }: Store,
  { workspaceId, ids, dueAt, isMeant = sql`1 = 1` }: DeliveriesToSend,
): Promise<number> {
  // A delivery that is sent again has not succeeded until its next attempt does.
  await sql`insert into delivery_counts (workspace_id, subscription_id, hour, succeeded, failed)
    select workspace_id, subscription_id, created_at / ${sql.lit(microsPerHour)} as hour, -count(*), count(*) from deliveries
    where workspace_id = ${workspaceId} and id in ${jsonIds(dialect, ids)} and state = 'succeeded' and ${isMeant}
    group by 1, 2, 3
    on conflict (workspace_id, hour, subscription_id) do update set
      succeeded = delivery_counts.succeeded + excluded.succeeded, failed = delivery_counts.failed + excluded.failed`.execute(
    db,
  )
  const { rows } = await sql`update deliveries set state = 'pending', attempt_class = 0, next_attempt_at = ${dueAt},
      finished_at = null, attempts_before = case when state = 'pending' then attempts_before else attempts end
    where workspace_id = ${workspaceId} and id in ${jsonIds(dialect, ids)} and ${isMeant} returning id`.execute(db)
  return rows.length
}

interface DeliveriesToSend {
  readonly workspaceId: number
  readonly ids: readonly number[]
  readonly dueAt: Micros
  /** Which of them. */
  readonly isMeant?: RawBuilder<unknown>
}

/** What a recovery sends: retrying, failed, and held deliveries. */
export const isRecoverable = (since: Micros) => sql`created_at >= ${since}
  and (state in ('held', 'failed') or (state = 'pending' and attempt_class = 1))`

/** Creates deliveries of events that match the current subscription and were never delivered to it. */
export async function addMissing({ dialect, db }: Store, { job, ids, now, dueAt }: MissingDeliveries): Promise<number> {
  const { rows } = await sql`insert into deliveries
      (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before, next_attempt_at, error,
        created_at, finished_at)
    select workspace_id, cast(${job.subscription_id} as bigint), id, 'pending', 0, 0, 0, cast(${dueAt} as bigint), null,
      cast(${now} as bigint), null
    from events
    where workspace_id = ${job.workspace_id} and id in ${jsonIds(dialect, ids)}
      and ${matchesSubscription({ ...queueOf(job), since: job.since })}
    order by id on conflict (event_id, workspace_id, subscription_id) do nothing returning id`.execute(db)
  return rows.length
}

interface MissingDeliveries {
  readonly job: JobRow
  readonly ids: readonly number[]
  readonly now: Micros
  readonly dueAt: Micros
}

const matchesSubscription = ({ workspaceId, subscriptionId, since }: RedeliveryScope) =>
  sql`created_at >= ${since} and is_test = 0 and exists (
      select 1 from subscription_events
      where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId} and pattern in (name, ${wildcard}, '*'))`

/** `ticket.*` for `ticket.created`. SQL: `ltrim` leaves the part after the first word, and `replace` removes it. */
const wildcard = sql`replace(name, ltrim(name, 'abcdefghijklmnopqrstuvwxyz'), '') || '.*'`

export const listJobs = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(db.selectFrom('delivery_jobs').selectAll().where('workspace_id', '=', workspaceId), page).execute()

/** A subscription, and the time from which its deliveries are selected. */
export interface RedeliveryScope extends QueueRef {
  readonly since: Micros
}

interface CountRow {
  readonly count: number
}

export async function countRecoverable(
  db: Db,
  { workspaceId, subscriptionId, since }: RedeliveryScope,
): Promise<RecoverableCount> {
  const { rows } = await sql<CountRow & { state: DeliveryState }>`select state, count(*) as count from deliveries
    where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId} and ${isRecoverable(since)}
    group by state`.execute(db)
  const of = (state: DeliveryState) => rows.find((row) => row.state === state)?.count ?? 0
  const [retrying, failed, held] = [of('pending'), of('failed'), of('held')]
  return { count: retrying + failed + held, retrying, failed, held }
}

/** How many deliveries a recovery would send: with attempts left, given up, and waiting for their endpoint. */
export interface RecoverableCount {
  readonly count: number
  readonly retrying: number
  readonly failed: number
  readonly held: number
}

export async function countReplayable(
  db: Db,
  { workspaceId, subscriptionId, since }: RedeliveryScope,
): Promise<number> {
  const { rows } = await sql<CountRow>`select count(*) as count from events
    where workspace_id = ${workspaceId} and ${matchesSubscription({ workspaceId, subscriptionId, since })}
      and not exists (select 1 from deliveries
        where workspace_id = ${workspaceId} and event_id = events.id and subscription_id = ${subscriptionId})`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export const postpone = (db: Db, { workspaceId, id }: RowRef, at: Micros) =>
  db
    .updateTable('deliveries')
    .set({ attempt_class: 1, next_attempt_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute()
