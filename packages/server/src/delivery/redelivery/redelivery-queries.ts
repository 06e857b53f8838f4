import { sql } from 'kysely'
import type { Micros } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { QueueRef } from '../table.ts'
import { wantsEvent } from './job-queries.ts'

/** A subscription, and from when on its deliveries are meant. */
export interface RedeliveryScope extends QueueRef {
  readonly since: Micros
}

/** The schedule starts anew; one that is just being sent keeps its place in it. */
export const setPending = (db: Db, { workspaceId, id }: RowRef, now: Micros) =>
  sql`update deliveries set state = 'pending', attempt_class = 0, next_attempt_at = ${now}, finished_at = null,
      attempts_before = case when state = 'pending' then attempts_before else attempts end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)

export const lastDeliveryId = async (db: Db, { workspaceId, subscriptionId }: QueueRef): Promise<number> =>
  (
    await db
      .selectFrom('deliveries')
      .select((select) => select.fn.max('id').as('id'))
      .where('workspace_id', '=', workspaceId)
      .where('subscription_id', '=', subscriptionId)
      .executeTakeFirst()
  )?.id ?? 0

export const lastEventId = async (db: Db, workspaceId: number): Promise<number> =>
  (
    await db
      .selectFrom('events')
      .select((select) => select.fn.max('id').as('id'))
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst()
  )?.id ?? 0

interface Counted {
  readonly count: number
}

export async function countRecoverable(
  db: Db,
  { workspaceId, subscriptionId, since }: RedeliveryScope,
): Promise<number> {
  const { rows } = await sql<Counted>`select count(*) as count from deliveries
    where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId} and created_at >= ${since}
      and (state = 'held' or (state = 'failed' and attempts > 0))`.execute(db)
  return rows[0]?.count ?? 0
}

export async function countReplayable(
  db: Db,
  { workspaceId, subscriptionId, since }: RedeliveryScope,
  largestBytes: number,
): Promise<number> {
  const { rows } = await sql<Counted>`select count(*) as count from events
    where workspace_id = ${workspaceId} and ${wantsEvent({ workspaceId, subscriptionId, since, largestBytes })}
      and not exists (select 1 from deliveries
        where workspace_id = ${workspaceId} and event_id = events.id and subscription_id = ${subscriptionId})`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
