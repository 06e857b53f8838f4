import { microsPerDay, microsPerHour } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { App } from '../core/context.ts'
import { type AgingTable, oldestIn, pruneExpiredKeys, pruneOldest, soonestExpiry } from '../store/retention-queries.ts'
import { inTransaction } from '../store/transaction.ts'
import type { MaintenanceTask } from './maintenance.ts'

// What is kept for the technique alone goes when it has grown old, some hundred rows at a time, so that no writer waits.
// What people look for stays unless a setting gives it an age. Events and deliveries are the delivery's own, see
// `delivery/outbox/retention.ts`.

/** How many days each table's rows are kept; undefined keeps them. */
const daysOf = (config: Config): Readonly<Record<AgingTable, number | undefined>> => ({
  inbound_deliveries: config.inboundRetentionDays,
  git_deliveries: config.inboundRetentionDays,
  automation_runs: config.automationRetentionDays,
  activities: config.activityRetentionDays,
  error_samples: config.errorSampleRetentionDays,
  lead_enquiries: config.enquiryRetentionDays,
  unmatched_punches: config.unmatchedPunchRetentionDays,
})

export function agingUpkeep(app: App): MaintenanceTask[] {
  const tables = Object.entries(daysOf(app.config)).flatMap(
    ([table, days]) => (days === undefined ? [] : [tableUpkeep(app, table as AgingTable, days * microsPerDay)]), // the keys of `daysOf` are tables
  )
  return [...tables, idempotencyUpkeep(app)]
}

const tableUpkeep = (app: App, table: AgingTable, keptFor: number): MaintenanceTask =>
  restingUpkeep(app, {
    async dueAt() {
      const oldest = await oldestIn(app.db, table)
      return oldest === undefined ? undefined : oldest + keptFor
    },
    prune: (now) => inTransaction(app, ({ db }) => pruneOldest(db, table, now - keptFor)),
  })

const idempotencyUpkeep = (app: App): MaintenanceTask =>
  restingUpkeep(app, {
    dueAt: () => soonestExpiry(app.db),
    prune: (now) => inTransaction(app, ({ db }) => pruneExpiredKeys(db, now)),
  })

interface Aging {
  dueAt(): Promise<number | undefined>
  /** Removes some; says whether there may be more. */
  prune(now: number): Promise<boolean>
}

/** Rows grow old one by one; an hour's worth of them goes together. */
function restingUpkeep(app: App, { dueAt, prune }: Aging): MaintenanceTask {
  let restsUntil = 0
  return {
    async nextDueAt() {
      const at = await dueAt()
      return at === undefined ? undefined : Math.max(at, restsUntil)
    },
    async run() {
      const now = app.clock.now()
      const more = await prune(now)
      if (!more) restsUntil = now + microsPerHour
      return more
    },
  }
}
