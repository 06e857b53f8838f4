import { sql } from 'kysely'
import type { Micros } from '../../core/clock.ts'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { jsonIds, newestFirst } from '../../store/list-query.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { DeliveryJobsTable, JobKind, QueueRef } from '../table.ts'

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

export type JobRow = Omit<DeliveryJobsTable, 'id'> & { readonly id: number }

export const queueOf = ({ workspace_id, subscription_id }: JobRow): QueueRef => ({
  workspaceId: workspace_id,
  subscriptionId: subscription_id,
})

/** The oldest running jobs. */
export async function findRunning(db: Db, limit: number): Promise<RowRef[]> {
  const { rows } = await sql<RowRef>`select id, workspace_id as "workspaceId" from delivery_jobs where state = 'running'
    order by id limit ${limit} ${acrossWorkspaces('delivery')}`.execute(db)
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

export const isQueueDisabled = async (db: Db, { workspaceId, subscriptionId }: QueueRef): Promise<boolean> => {
  const row = await db
    .selectFrom('delivery_queues')
    .select('disabled_at')
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId)
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

/** Queues failed and held deliveries again. Deliveries that were too large to send stay failed. */
export async function requeueDeliveries(
  { dialect, db }: Store,
  ids: readonly number[],
  { workspaceId, since, dueAt }: JobCursor,
): Promise<number> {
  const { rows } = await sql`update deliveries set state = 'pending', attempt_class = 0, attempts_before = attempts,
      next_attempt_at = ${dueAt}, finished_at = null
    where workspace_id = ${workspaceId} and id in ${jsonIds(dialect, ids)} and created_at >= ${since}
      and (state = 'held' or (state = 'failed' and attempts > 0)) returning id`.execute(db)
  return rows.length
}

export interface JobCursor {
  readonly workspaceId: number
  readonly since: Micros
  readonly dueAt: Micros
}

/** Creates deliveries of events that match the current subscription and were never delivered to it. */
export async function addMissing(
  { dialect, db }: Store,
  { job, ids, now, dueAt, maxBytes }: MissingDeliveries,
): Promise<number> {
  const { rows } = await sql`insert into deliveries
      (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before, next_attempt_at, error,
        created_at, finished_at)
    select workspace_id, cast(${job.subscription_id} as bigint), id, 'pending', 0, 0, 0, cast(${dueAt} as bigint), null,
      cast(${now} as bigint), null
    from events
    where workspace_id = ${job.workspace_id} and id in ${jsonIds(dialect, ids)}
      and ${matchesSubscription({ ...queueOf(job), since: job.since, maxBytes })}
    on conflict (event_id, workspace_id, subscription_id) do nothing returning id`.execute(db)
  return rows.length
}

interface MissingDeliveries {
  readonly job: JobRow
  readonly ids: readonly number[]
  readonly now: Micros
  readonly dueAt: Micros
  readonly maxBytes: number
}

const matchesSubscription = ({ workspaceId, subscriptionId, since, maxBytes }: EventFilter) =>
  sql`created_at >= ${since} and is_test = 0 and ${sizeOfBody} <= ${maxBytes} and exists (
      select 1 from subscription_events
      where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId} and pattern in (name, ${wildcard}, '*'))`

interface EventFilter extends QueueRef {
  readonly since: Micros
  readonly maxBytes: number
}

/** Bytes of the body in UTF-8. `length` would count characters. */
const sizeOfBody = sql`octet_length(body)`

/** `ticket.*` for `ticket.created`. SQL: `ltrim` leaves the part after the first word, and `replace` removes it. */
const wildcard = sql`replace(name, ltrim(name, 'abcdefghijklmnopqrstuvwxyz'), '') || '.*'`

export const listJobs = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(db.selectFrom('delivery_jobs').selectAll().where('workspace_id', '=', workspaceId), page).execute()

/** A subscription, and the time from which its deliveries are selected. */
export interface RedeliveryScope extends QueueRef {
  readonly since: Micros
}

/** Restarts the retry schedule. A delivery that is pending keeps its position in it. */
export const setPending = (db: Db, { workspaceId, id }: RowRef, now: Micros) =>
  sql`update deliveries set state = 'pending', attempt_class = 0, next_attempt_at = ${now}, finished_at = null,
      attempts_before = case when state = 'pending' then attempts_before else attempts end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)

interface CountRow {
  readonly count: number
}

export async function countRecoverable(
  db: Db,
  { workspaceId, subscriptionId, since }: RedeliveryScope,
): Promise<number> {
  const { rows } = await sql<CountRow>`select count(*) as count from deliveries
    where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId} and created_at >= ${since}
      and (state = 'held' or (state = 'failed' and attempts > 0))`.execute(db)
  return rows[0]?.count ?? 0
}

export async function countReplayable(
  db: Db,
  { workspaceId, subscriptionId, since }: RedeliveryScope,
  maxBytes: number,
): Promise<number> {
  const { rows } = await sql<CountRow>`select count(*) as count from events
    where workspace_id = ${workspaceId} and ${matchesSubscription({ workspaceId, subscriptionId, since, maxBytes })}
      and not exists (select 1 from deliveries
        where workspace_id = ${workspaceId} and event_id = events.id and subscription_id = ${subscriptionId})`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
