import { sql } from 'kysely'
import type { Page } from '../../core/pagination.ts'
import type { Db } from '../../store/database.ts'
import { newestFirst } from '../../store/list-query.ts'
import { inProcess, prepared, preparedInsert } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryState } from '../table.ts'

export interface NewEventRow {
  readonly workspace_id: number
  readonly name: string
  readonly wildcard: string
  readonly body: string
  readonly created_at: number
  /** The same time on the schedule's clock, when the deliveries are due. */
  readonly due_at: number
  readonly key: string
  readonly traceparent: string | null
  /** The initial state of the deliveries. Those of a disabled subscription are held. */
  readonly state: Extract<DeliveryState, 'pending' | 'failed'>
  readonly error: string | null
}

/** Stores an event and a delivery for each matching subscription; returns whether any delivery is to be sent. */
export function appendToOutbox(store: Store, row: NewEventRow): Promise<boolean> {
  return store.dialect === 'sqlite' ? appendOnSqlite(store, row) : appendOnPostgres(store.db, row)
}

const insertEvent = preparedInsert<NewEventRow>((db, param) =>
  db.insertInto('events').values({
    workspace_id: param('workspace_id'),
    name: param('name'),
    body: param('body'),
    created_at: param('created_at'),
    key: param('key'),
    traceparent: param('traceparent'),
  }),
)

interface EventRow extends NewEventRow {
  readonly event_id: number
}

const insertDeliveries = inProcess<EventRow>(
  ({ of }) => sql`insert into deliveries
      (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before, next_attempt_at, error,
        created_at, finished_at)
      select ${of('workspace_id')}, queue.subscription_id, ${of('event_id')},
        case when queue.disabled_at is null or ${of('state')} = 'failed' then ${of('state')} else 'held' end,
        0, 0, 0, ${of('due_at')}, ${of('error')}, ${of('created_at')},
        case when ${of('state')} = 'failed' then ${of('created_at')} end
      from delivery_queues as queue
      where queue.workspace_id = ${of('workspace_id')} and queue.subscription_id in (
        select subscription_id from subscription_events
        where workspace_id = ${of('workspace_id')} and pattern in (${of('name')}, ${of('wildcard')}, '*')
      )`,
)

const insertUnrouted = inProcess<EventRow>(
  ({ of }) => sql`insert into unrouted_events (event_id, workspace_id)
      select event_id, workspace_id from deliveries
      where workspace_id = ${of('workspace_id')} and event_id = ${of('event_id')} and state = 'pending' limit 1`,
)

/** SQLite runs in-process, so statements are cheap. An event without subscribers needs only two. */
async function appendOnSqlite(store: Store, row: NewEventRow): Promise<boolean> {
  const rows = [{ ...row, event_id: await insertEvent(store.db, row) }]
  return insertDeliveries(store, rows) > 0 && insertUnrouted(store, rows) > 0
}

/** PostgreSQL needs a round trip per statement, so this is a single statement. */
const appendStatement = prepared<NewEventRow, { event_id: number }>((db, param) => ({
  compile: () =>
    sql<{ event_id: number }>`with event as (
        insert into events (workspace_id, name, body, created_at, key, traceparent)
        values (${param('workspace_id')}, ${param('name')}, ${param('body')}, ${param('created_at')}, ${param('key')},
          ${param('traceparent')})
        returning id, workspace_id, created_at
      ), fanned_out as (
        insert into deliveries
          (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before, next_attempt_at, error,
            created_at, finished_at)
        select event.workspace_id, queue.subscription_id, event.id,
          case when queue.disabled_at is null or ${param('state')}::text = 'failed' then ${param('state')}::text else 'held' end,
          0, 0, 0, ${param('due_at')}::bigint, ${param('error')}::text, event.created_at,
          case when ${param('state')}::text = 'failed' then event.created_at end
        from event, delivery_queues as queue
        where queue.workspace_id = ${param('workspace_id')} and queue.subscription_id in (
          select subscription_id from subscription_events
          where workspace_id = ${param('workspace_id')} and pattern in (${param('name')}, ${param('wildcard')}, '*')
        )
        returning event_id, workspace_id, state
      )
      insert into unrouted_events (event_id, workspace_id)
      select distinct event_id, workspace_id from fanned_out where state = 'pending' returning event_id`.compile(db),
}))

const appendOnPostgres = async (db: Db, row: NewEventRow) => (await appendStatement(db, row)).length > 0

export const listEvents = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(
    db
      .selectFrom('events')
      .select(['id', 'name', 'body', 'created_at'])
      .where('workspace_id', '=', workspaceId)
      .where('is_test', '=', 0),
    page,
  ).execute()

export const findLastEvent = (db: Db, workspaceId: number, name: string) =>
  db
    .selectFrom('events')
    .select(['id', 'name', 'body'])
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name)
    .where('is_test', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertTestEvent(
  db: Db,
  {
    subscription_id,
    due_at,
    ...event
  }: Pick<NewEventRow, 'workspace_id' | 'name' | 'body' | 'created_at' | 'due_at' | 'key' | 'traceparent'> & {
    subscription_id: number
  },
): Promise<number> {
  const { id } = await db
    .insertInto('events')
    .values({ ...event, is_test: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const fresh = {
    state: 'pending' as const,
    attempt_class: 0,
    attempts: 0,
    attempts_before: 0,
    error: null,
    finished_at: null,
  }
  const delivery = await db
    .insertInto('deliveries')
    .values({
      ...fresh,
      workspace_id: event.workspace_id,
      subscription_id,
      event_id: id,
      next_attempt_at: due_at,
      created_at: event.created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('unrouted_events').values({ workspace_id: event.workspace_id, event_id: id }).execute()
  return delivery.id
}

/** The largest body that is sent. A larger event is stored, and its deliveries are recorded as failed. */
export const maxBodyBytes = 256 * 1024
