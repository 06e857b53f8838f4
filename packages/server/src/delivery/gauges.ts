import { sql } from 'kysely'
import { microsPerSecond } from '../clock.ts'
import type { App } from '../context.ts'
import type { Gauge } from '../metrics.ts'

/** How much waits to be delivered, read from the database: a count would be wrong after a restart. */
export async function deliveryGauges({ db, clock }: App): Promise<Record<string, Gauge>> {
  const { rows } = await sql<{ depth: number; oldest: number | null }>`select
      (select count(*) from deliveries where state = 'pending') as depth,
      (select min(due_at) from delivery_queues where disabled_at is null) as oldest`.execute(db)
  const [row] = rows
  const age = Math.max(0, (clock.now() - (row?.oldest ?? Number.POSITIVE_INFINITY)) / microsPerSecond)
  return {
    service_deliveries_pending: { help: 'Deliveries that wait for an attempt.', value: row?.depth ?? 0 },
    service_delivery_overdue_seconds: { help: 'How long the most overdue queue has been due.', value: age },
  }
}
