import { sql } from 'kysely'
import type { Micros } from '../clock.ts'
import { jsonIds } from '../store/json-ids.ts'
import type { Store } from '../store/store.ts'
import type { DueDelivery } from './request.ts'

export interface DueQuestion {
  readonly subscriptionId: number
  readonly now: Micros
  readonly limit: number
  /** Those that the asker has already. */
  readonly except: readonly number[]
}

/**
 * Deliveries that are due, in the order in which they should go: new ones first, so that a backlog of retries does not
 * delay what has just happened, but an eighth of the places is kept for retries, so that they do not starve.
 */
export async function findDue(store: Store, question: DueQuestion): Promise<DueDelivery[]> {
  const fresh = await findInLane(store, 0, question)
  const again = await findInLane(store, 1, question)
  const kept = Math.min(again.length, Math.ceil(question.limit / 8))
  return [...fresh.slice(0, question.limit - kept), ...again].slice(0, question.limit)
}

async function findInLane(
  { dialect, db }: Store,
  lane: number,
  { subscriptionId, now, limit, except }: DueQuestion,
): Promise<DueDelivery[]> {
  const { rows } =
    await sql<DueDelivery>`select deliveries.id, event_id, attempts, attempts_before, name, body, key, is_test
    from deliveries join events on events.id = deliveries.event_id
    where subscription_id = ${subscriptionId} and state = 'pending' and lane = ${sql.lit(lane)}
      and next_attempt_at <= ${now} and deliveries.id not in ${jsonIds(dialect, except)}
    order by next_attempt_at, deliveries.id limit ${limit}`.execute(db)
  return rows
}
