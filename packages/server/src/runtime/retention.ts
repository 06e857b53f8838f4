import type { App } from '../context.ts'
import { microsPerDay, microsPerHour } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import {
  type AgingTable,
  oldestIn,
  type Pruned,
  pruneExpiredKeys,
  pruneOldest,
  soonestExpiry,
} from '../store/retention-queries.ts'
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

interface Aging {
  dueAt(): Promise<number | undefined>
  /** Removes some of what is too old by now. */
  prune(now: number): Promise<Pruned>
}

function agingRecords(app: App): Aging[] {
  const tables = Object.entries(daysOf(app.config)).flatMap(
    ([table, days]) => (days === undefined ? [] : [agingTable(app, table as AgingTable, days * microsPerDay)]), // the keys of `daysOf` are tables
  )
  return [...tables, idempotencyKeys(app)]
}

const agingTable = (app: App, table: AgingTable, keptFor: number): Aging => ({
  async dueAt() {
    const oldest = await oldestIn(app.db, table)
    return oldest === undefined ? undefined : oldest + keptFor
  },
  prune: (now) => inTransaction(app, ({ db }) => pruneOldest(db, table, now - keptFor)),
})

const idempotencyKeys = (app: App): Aging => ({
  dueAt: () => soonestExpiry(app.db),
  prune: (now) => inTransaction(app, ({ db }) => pruneExpiredKeys(db, now)),
})

export const agingUpkeep = (app: App): MaintenanceTask[] => agingRecords(app).map((aging) => restingUpkeep(app, aging))

/** An hour's worth of rows go together. */
function restingUpkeep(app: App, { dueAt, prune }: Aging): MaintenanceTask {
  let restsUntil = 0
  return {
    async nextDueAt() {
      const at = await dueAt()
      return at === undefined ? undefined : Math.max(at, restsUntil)
    },
    async run() {
      const now = app.clock.now()
      const { more } = await prune(now)
      if (!more) restsUntil = now + microsPerHour
      return more
    },
  }
}

const longestPruneMs = 1000

/** Removes what is too old by now, also by those who do it for others, until nothing is left or a second is over. */
export async function prune(
  app: App,
  others: readonly (() => Promise<Pruned>)[],
): Promise<{ removed: number; done: boolean }> {
  const startedAt = app.clock.elapsedMs()
  let removed = 0
  for (const prune of [...agingRecords(app).map((aging) => aging.prune), ...others]) {
    for (let more = true; more; ) {
      if (app.clock.elapsedMs() - startedAt > longestPruneMs) return { removed, done: false }
      const pruned = await prune(app.clock.now())
      removed += pruned.removed
      more = pruned.more
    }
  }
  return { removed, done: true }
}
