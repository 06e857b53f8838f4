import { microsPerDay, microsPerHour } from '../../core/clock.ts'
import type { App } from '../../core/context.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import { inTransaction } from '../../store/transaction.ts'
import * as queries from './queries.ts'

const batch = 500

/** Removes entries that are older than the settings keep them; without a setting there is nothing to do. */
export function auditRetention(app: App): readonly MaintenanceTask[] {
  const days = app.config.auditRetentionDays
  if (days === undefined) return []
  const keptFor = days * microsPerDay
  let restsUntil = 0
  return [
    {
      async nextDueAt() {
        const oldest = await queries.findOldest(app.db)
        return oldest === undefined ? undefined : Math.max(oldest.at + keptFor, restsUntil)
      },
      async run() {
        const now = app.clock.now()
        const removed = await inTransaction(app, async ({ db }) => {
          await queries.markRemovable(db, now - keptFor)
          return queries.deleteSome(db, now - keptFor, batch)
        })
        if (removed < batch) restsUntil = now + microsPerHour
        return removed === batch
      },
    },
  ]
}
