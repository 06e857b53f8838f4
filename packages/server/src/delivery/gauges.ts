import { sql } from 'kysely'
import type { App } from '../context.ts'
import { microsPerSecond } from '../core/clock.ts'
import type { Gauge } from '../core/metrics.ts'
import { acrossWorkspaces } from '../store/workspace-keys.ts'

// Read from the database, because a counter in the process would be wrong after a restart and with several processes.
// The queries are bounded, so frequent scrapes stay cheap however large the backlog is.

const maxCounted = 100_000
const maxQueues = 1000

export async function deliveryGauges({ db, clock }: App): Promise<Record<string, Gauge>> {
  const earliestIn = (attempt_class: number) => sql`(select next_attempt_at from deliveries
    where deliveries.workspace_id = queue.workspace_id and deliveries.subscription_id = queue.subscription_id
      and state = 'pending' and attempt_class = ${sql.lit(attempt_class)}
    order by next_attempt_at limit 1)`
  const { rows } = await sql<{ depth: number; oldest: number | null; disabled: number }>`with queue as (
      select subscription_id, workspace_id from delivery_queues where due_at is not null and disabled_at is null
      order by due_at limit ${sql.lit(maxQueues)}
    )
    select (select count(*) from (select 1 from deliveries where state = 'pending' limit ${sql.lit(maxCounted)}) as waiting) as depth,
      (select min(earliest) from (select ${earliestIn(0)} as earliest from queue
        union all select ${earliestIn(1)} from queue) as first) as oldest,
      (select count(*) from delivery_queues join subscriptions
          on subscriptions.workspace_id = delivery_queues.workspace_id and subscriptions.id = subscription_id
        where disabled_at is not null and deleted_at is null) as disabled ${acrossWorkspaces('figures')}`.execute(db)
  const [row] = rows
  const age = Math.max(0, (clock.scheduleNow() - (row?.oldest ?? Number.POSITIVE_INFINITY)) / microsPerSecond)
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
