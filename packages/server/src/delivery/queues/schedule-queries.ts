import { sql } from 'kysely'
import type { Micros } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'

/** Releases all leases, and makes their queues due. */
export const reclaimLeases = (db: Db, now: Micros) =>
  sql`update delivery_queues set lease_until = null, lease_token = null, notified_at = null, due_at = ${now}
    where lease_token is not null ${acrossWorkspaces('delivery')}`.execute(db)

interface LastTimes {
  /** The stored offset of the schedule from the wall clock. */
  readonly aheadBy: Micros | null
  readonly eventAt: Micros | null
  readonly attemptAt: Micros | null
}

export async function lastTimes(db: Db): Promise<LastTimes> {
  const { rows } = await sql<LastTimes>`select
    (select ahead_by from delivery_schedule) as "aheadBy",
    (select created_at from events order by id desc limit 1) as "eventAt",
    (select started_at from delivery_attempts order by id desc limit 1) as "attemptAt"
    ${acrossWorkspaces('delivery')}`.execute(db)
  return rows[0] ?? { aheadBy: null, eventAt: null, attemptAt: null }
}

export const saveOffset = (db: Db, aheadBy: Micros) =>
  sql`insert into delivery_schedule (id, ahead_by) values (1, ${aheadBy})
    on conflict (id) do update set ahead_by = excluded.ahead_by`.execute(db)

export const deleteOffset = (db: Db) => sql`delete from delivery_schedule`.execute(db)

export async function moveSchedule(db: Db, by: Micros): Promise<void> {
  await sql`update deliveries set next_attempt_at = next_attempt_at + ${by} where state = 'pending'
    ${acrossWorkspaces('delivery')}`.execute(db)
  await sql`update delivery_queues set due_at = due_at + ${by}, paused_until = paused_until + ${by},
    paced_until = paced_until + ${by}, failing_since = failing_since + ${by},
    last_success_at = last_success_at + ${by}, last_failure_at = last_failure_at + ${by}
    ${acrossWorkspaces('delivery')}`.execute(db)
}
