import { microsPerDay, microsPerHour } from '../../core/clock.ts'
import type { App } from '../../core/context.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import { inTransaction } from '../../store/transaction.ts'
import { oldestEventAt, pruneSome } from './prune-queries.ts'

/** How long to rest when all that could go is gone; what is held may be old and stays, so age alone does not say. */
const restAfterWork = microsPerHour
const restAfterNothing = microsPerDay

/** Removes events, deliveries and attempts that are older than they have to be, some hundred per transaction. */
export function createRetentionTask(app: App): MaintenanceTask {
  const keptFor = app.config.deliveryRetentionDays * microsPerDay
  let restsUntilMs = Number.NEGATIVE_INFINITY
  let worked = false
  return {
    async nextDueAt() {
      const oldest = await oldestEventAt(app.db)
      if (oldest === undefined) return undefined
      const { clock } = app
      const rest = Math.max(0, Math.round((restsUntilMs - clock.elapsedMs()) * 1000))
      return rest === 0 ? oldest + keptFor : Math.max(oldest + keptFor, clock.now() + rest)
    },
    async run() {
      const now = app.clock.now()
      const { removed, more } = await inTransaction(app, ({ store }) => pruneSome(store, now - keptFor))
      worked ||= removed > 0
      if (more) return true
      restsUntilMs = app.clock.elapsedMs() + (worked ? restAfterWork : restAfterNothing) / 1000
      worked = false
      return removed > 0
    },
  }
}
