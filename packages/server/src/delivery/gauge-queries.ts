import { sql } from 'kysely'
import type { App } from '../context.ts'
import { earliest, type Micros, microsPerSecond } from '../core/clock.ts'
import type { Readings } from '../core/metrics.ts'
import { acrossWorkspaces } from '../store/workspace-keys.ts'
import { position } from './queues/queue-queries.ts'

// Read from the database, because a counter in the process would be wrong after a restart and with several processes.
// The queries are bounded, so frequent scrapes stay cheap however large the backlog is.

const maxCounted = 100_000
const maxQueues = 1000

export async function deliveryGauges({ db, clock }: App) {
  const now = clock.scheduleNow()
  // Deliveries to failing receivers wait for them, and those of a subscription with a rate limit for their turn.
  const earliestOf = (attempt_class: number) => sql`(select min(earliest) from (
    select (select next_attempt_at from deliveries
      where deliveries.workspace_id = delivery_queues.workspace_id
        and deliveries.subscription_id = delivery_queues.subscription_id
        and state = 'pending' and attempt_class = ${sql.lit(attempt_class)} order by ${position} limit 1) as earliest
    from delivery_queues where due_at is not null and disabled_at is null and failing_since is null
      and (paced_until is null or paced_until <= ${now}) order by due_at limit ${sql.lit(maxQueues)}
  ) as due)`
  const failing = sql`from delivery_queues where failing_since is not null and disabled_at is null`
  const { rows } = await sql<GaugeRow>`select
      (select count(*) from (select 1 from deliveries where state = 'pending' limit ${sql.lit(maxCounted)}) as waiting) as depth,
      (select count(*) from (select 1 ${failing} limit ${sql.lit(maxCounted)}) as failing) as failing,
      (select min(failing_since) ${failing}) as failing_since,
      (select min(next_attempt_at) from (select event_id, workspace_id from unrouted_events order by event_id limit 1) as first
        join deliveries on deliveries.workspace_id = first.workspace_id and deliveries.event_id = first.event_id
        where state = 'pending') as oldest_unrouted,
      ${earliestOf(0)} as oldest_new, ${earliestOf(1)} as oldest_retry,
      (select count(*) from delivery_queues join subscriptions
          on subscriptions.workspace_id = delivery_queues.workspace_id and subscriptions.id = subscription_id
        where disabled_at is not null and deleted_at is null) as disabled ${acrossWorkspaces('figures')}`.execute(db)
  const [row] = rows
  const dueTimes = [row?.oldest_unrouted, row?.oldest_new, row?.oldest_retry]
  const oldest = earliest(dueTimes.map((at) => at ?? undefined)) ?? Number.POSITIVE_INFINITY
  const secondsSince = (at: Micros) => Math.max(0, (now - at) / microsPerSecond)
  return {
    service_deliveries_pending: row?.depth ?? 0,
    service_delivery_overdue_seconds: secondsSince(oldest),
    service_subscriptions_failing: row?.failing ?? 0,
    service_subscriptions_failing_seconds: secondsSince(row?.failing_since ?? now),
    service_subscriptions_disabled: row?.disabled ?? 0,
  } satisfies Readings
}

interface GaugeRow {
  readonly depth: number
  /** Of the first event that no worker has noticed. */
  readonly oldest_unrouted: Micros | null
  readonly oldest_new: Micros | null
  readonly oldest_retry: Micros | null
  readonly disabled: number
  readonly failing: number
  readonly failing_since: Micros | null
}
