import { microsPerDay, microsPerHour } from '../clock.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../store/transaction.ts'
import type { UpkeepJob } from '../upkeep.ts'
import { oldestEventAt, pruneSome } from './prune-queries.ts'

/** How long to rest when all that could go is gone; what is held may be old and stays, so age alone does not say. */
const restAfterWork = microsPerHour
const restAfterNothing = microsPerDay

/** Removes events, deliveries and attempts that are older than they have to be, some hundred per transaction. */
export function retentionUpkeep(app: App): UpkeepJob {
  const keptFor = app.config.deliveryRetentionDays * microsPerDay
  let restsUntil = 0
  let worked = false
  return {
    async nextDueAt() {
      const oldest = await oldestEventAt(app.db)
      return oldest === undefined ? undefined : Math.max(oldest + keptFor, restsUntil)
    },
    async run() {
      const now = app.clock.now()
      const { removed, more } = await inTransaction(app, ({ store }) => pruneSome(store, now - keptFor))
      worked ||= removed > 0
      if (more) return true
      restsUntil = now + (worked ? restAfterWork : restAfterNothing)
      worked = false
      return removed > 0
    },
  }
}
