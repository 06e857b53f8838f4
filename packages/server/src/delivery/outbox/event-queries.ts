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

/**
 * Deliveries of a disabled subscription are held. Each value has a type, because PostgreSQL would otherwise take it for
 * text.
 */
const fanOut = (of: (column: keyof EventRow) => unknown) => {
  const [workspaceId, now] = [sql`cast(${of('workspace_id')} as bigint)`, sql`cast(${of('created_at')} as bigint)`]
  return sql`insert into deliveries
      (workspace_id, subscription_id, event_id, state, attempt_class, attempts, attempts_before, next_attempt_at, error,
        created_at, finished_at)
      select ${workspaceId}, queue.subscription_id, cast(${of('event_id')} as bigint),
        case when queue.disabled_at is null then 'pending' else 'held' end,
        0, 0, 0, cast(${of('due_at')} as bigint), null, ${now}, cast(null as bigint)
      from delivery_queues as queue
      where queue.workspace_id = ${of('workspace_id')} and queue.subscription_id in (
        select subscription_id from subscription_events
        where workspace_id = ${of('workspace_id')} and pattern in (${of('name')}, ${of('wildcard')}, '*')
      )`
}

const fanOutInProcess = inProcess<EventRow>(({ of }) => fanOut(of))

const fanOutOnPostgres = prepared<EventRow, { state: DeliveryState }>((db, param) => ({
  compile: () => sql<{ state: DeliveryState }>`${fanOut(param)} returning state`.compile(db),
}))

const insertUnroutedInProcess = inProcess<EventRow>(
  ({ of }) => sql`insert into unrouted_events (event_id, workspace_id)
      select event_id, workspace_id from deliveries
      where workspace_id = ${of('workspace_id')} and event_id = ${of('event_id')} and state = 'pending' limit 1`,
)

const insertUnrouted = prepared<Pick<EventRow, 'event_id' | 'workspace_id'>, unknown>((db, param) =>
  db.insertInto('unrouted_events').values({ event_id: param('event_id'), workspace_id: param('workspace_id') }),
)

interface StoredDeliveries {
  readonly count: number
  /** Whether any of them is to be sent. */
  readonly isPending: boolean
}

/**
 * Stores an event and a delivery for each matching subscription. These are several statements on PostgreSQL too: Citus would
 * store the results of a common table expression in files.
 */
export async function appendToOutbox(store: Store, row: NewEventRow): Promise<StoredDeliveries> {
  const event = { ...row, event_id: await insertEvent(store.db, row) }
  if (store.dialect === 'sqlite') {
    const count = fanOutInProcess(store, [event])
    return { count, isPending: count > 0 && insertUnroutedInProcess(store, [event]) > 0 }
  }
  const deliveries = await fanOutOnPostgres(store.db, event)
  const isPending = deliveries.some(({ state }) => state === 'pending')
  if (isPending) await insertUnrouted(store.db, event)
  return { count: deliveries.length, isPending }
}

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
