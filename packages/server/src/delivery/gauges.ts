import { sql } from 'kysely'
import type { App } from '../context.ts'
import { earliest, type Micros, microsPerSecond } from '../core/clock.ts'
import type { Gauge } from '../core/metrics.ts'
import { acrossWorkspaces } from '../store/workspace-keys.ts'

// Read from the database, because a counter in the process would be wrong after a restart and with several processes.
// The queries are bounded, so frequent scrapes stay cheap however large the backlog is.

const maxCounted = 100_000
const maxQueues = 1000

export async function deliveryGauges({ db, clock }: App): Promise<Record<string, Gauge>> {
  const earliestOf = (attempt_class: number) => sql`(select min(earliest) from (
    select (select next_attempt_at from deliveries
      where deliveries.workspace_id = delivery_queues.workspace_id
        and deliveries.subscription_id = delivery_queues.subscription_id
        and state = 'pending' and attempt_class = ${sql.lit(attempt_class)} order by next_attempt_at limit 1) as earliest
    from delivery_queues where due_at is not null and disabled_at is null order by due_at limit ${sql.lit(maxQueues)}
  ) as due)`
  const { rows } = await sql<GaugeRow>`select
      (select count(*) from (select 1 from deliveries where state = 'pending' limit ${sql.lit(maxCounted)}) as waiting) as depth,
      ${earliestOf(0)} as oldest_new, ${earliestOf(1)} as oldest_retry,
      (select count(*) from delivery_queues join subscriptions
          on subscriptions.workspace_id = delivery_queues.workspace_id and subscriptions.id = subscription_id
        where disabled_at is not null and deleted_at is null) as disabled ${acrossWorkspaces('figures')}`.execute(db)
  const [row] = rows
  const oldest = earliest([row?.oldest_new ?? undefined, row?.oldest_retry ?? undefined]) ?? Number.POSITIVE_INFINITY
  const age = Math.max(0, (clock.scheduleNow() - oldest) / microsPerSecond)
  return {
    service_deliveries_pending: {
      help: `Pending deliveries, counted up to ${maxCounted}.`,
      value: row?.depth ?? 0,
    },
    service_delivery_overdue_seconds: {
      help: 'Seconds since the most overdue delivery became due.',
      value: age,
    },
    service_subscriptions_disabled: { help: 'Disabled subscriptions.', value: row?.disabled ?? 0 },
  }
}

interface GaugeRow {
  readonly depth: number
  readonly oldest_new: Micros | null
  readonly oldest_retry: Micros | null
  readonly disabled: number
}
