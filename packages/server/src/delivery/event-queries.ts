import { sql } from 'kysely'
import type { Db } from '../store/database.ts'
import { prepared } from '../store/prepared.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryState } from './table.ts'

export interface NewEventRow {
  readonly workspace_id: number
  readonly name: string
  /** `ticket.*` for `ticket.created`. */
  readonly family: string
  readonly body: string
  readonly created_at: number
  readonly key: string
  /** What its deliveries start as; those of a disabled subscription are held. */
  readonly state: Extract<DeliveryState, 'pending' | 'failed'>
  readonly error: string | null
}

/** Keeps an event and a delivery of it for each subscription that asked for such; says whether there is any. */
export function keepEvent({ dialect, db }: Store, row: NewEventRow): Promise<boolean> {
  return dialect === 'sqlite' ? keepInSteps(db, row) : keepAtOnce(db, row)
}

const insertEvent = prepared<NewEventRow, { id: number }>((db, param) =>
  db
    .insertInto('events')
    .values({
      workspace_id: param('workspace_id'),
      name: param('name'),
      body: param('body'),
      created_at: param('created_at'),
      key: param('key'),
    })
    .returning('id'),
)

const anySubscription = prepared<Pick<NewEventRow, 'workspace_id'>, { found: number }>((db, param) =>
  db
    .selectFrom('subscription_events')
    .select(sql.lit(1).as('found'))
    .where('workspace_id', '=', param('workspace_id'))
    .limit(sql.lit(1)),
)

const fanOut = prepared<NewEventRow & { event_id: number }, never>((db, param) => ({
  compile: () =>
    sql<never>`insert into deliveries
      (subscription_id, event_id, state, lane, attempts, attempts_before, next_attempt_at, error, created_at, finished_at)
      select queue.subscription_id, ${param('event_id')},
        case when queue.disabled_at is null or ${param('state')} = 'failed' then ${param('state')} else 'held' end,
        0, 0, 0, ${param('created_at')}, ${param('error')}, ${param('created_at')},
        case when ${param('state')} = 'failed' then ${param('created_at')} end
      from delivery_queues as queue
      where queue.subscription_id in (
        select subscription_id from subscription_events
        where workspace_id = ${param('workspace_id')} and pattern in (${param('name')}, ${param('family')}, '*')
      )`.compile(db),
}))

const announce = prepared<{ event_id: number }, { event_id: number }>((db, param) => ({
  compile: () =>
    sql<{ event_id: number }>`insert into delivery_arrivals (event_id)
      select event_id from deliveries where event_id = ${param('event_id')} limit 1 returning event_id`.compile(db),
}))

/** In the process each statement costs 3 µs, and a workspace that nobody subscribes to is done after the second. */
async function keepInSteps(db: Db, row: NewEventRow): Promise<boolean> {
  const [event] = await insertEvent(db, row)
  if (event === undefined || (await anySubscription(db, row)).length === 0) return false
  await fanOut(db, { ...row, event_id: event.id })
  return (await announce(db, { event_id: event.id })).length > 0
}

/** Over a connection each statement is a journey, so all of it is one. */
const atOnce = prepared<NewEventRow, { event_id: number }>((db, param) => ({
  compile: () =>
    sql<{ event_id: number }>`with event as (
        insert into events (workspace_id, name, body, created_at, key)
        values (${param('workspace_id')}, ${param('name')}, ${param('body')}, ${param('created_at')}, ${param('key')})
        returning id, created_at
      ), fanned_out as (
        insert into deliveries
          (subscription_id, event_id, state, lane, attempts, attempts_before, next_attempt_at, error, created_at, finished_at)
        select queue.subscription_id, event.id,
          case when queue.disabled_at is null or ${param('state')}::text = 'failed' then ${param('state')}::text else 'held' end,
          0, 0, 0, event.created_at, ${param('error')}::text, event.created_at,
          case when ${param('state')}::text = 'failed' then event.created_at end
        from event, delivery_queues as queue
        where queue.subscription_id in (
          select subscription_id from subscription_events
          where workspace_id = ${param('workspace_id')} and pattern in (${param('name')}, ${param('family')}, '*')
        )
        returning event_id
      )
      insert into delivery_arrivals (event_id) select distinct event_id from fanned_out returning event_id`.compile(db),
}))

const keepAtOnce = async (db: Db, row: NewEventRow) => (await atOnce(db, row)).length > 0

/** Oldest first. */
export const listEvents = (db: Db, workspaceId: number) =>
  db
    .selectFrom('events')
    .select(['id', 'name', 'body', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('is_test', '=', 0)
    .orderBy('id')
    .execute()

/** Keeps an event of nobody's doing with a delivery of it for one subscription. */
export async function insertTestEvent(
  db: Db,
  {
    subscription_id,
    ...event
  }: Pick<NewEventRow, 'workspace_id' | 'name' | 'body' | 'created_at' | 'key'> & {
    subscription_id: number
  },
): Promise<number> {
  const { id } = await db
    .insertInto('events')
    .values({ ...event, is_test: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const fresh = { state: 'pending' as const, lane: 0, attempts: 0, attempts_before: 0, error: null, finished_at: null }
  const delivery = await db
    .insertInto('deliveries')
    .values({
      ...fresh,
      subscription_id,
      event_id: id,
      next_attempt_at: event.created_at,
      created_at: event.created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('delivery_arrivals').values({ event_id: id }).execute()
  return delivery.id
}
