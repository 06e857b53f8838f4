import type { App } from '../context.ts'
import { microsPerDay, microsPerHour } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import {
  type AgingTable,
  countTables,
  dropBodies,
  oldestBody,
  oldestHour,
  oldestIn,
  type Pruned,
  pruneCounts,
  pruneExpiredKeys,
  pruneOldest,
  soonestExpiry,
} from '../store/retention-queries.ts'
import { inTransaction } from '../store/transaction.ts'
import type { MaintenanceTask } from './maintenance.ts'

// Technical records are deleted once they expire, a few hundred rows at a time, so that writers never wait. Business
// records are kept unless a setting limits their age. `delivery/outbox/retention.ts` handles events and deliveries.

/** The retention of each table in days; undefined keeps its rows. */
const daysOf = (config: Config): Readonly<Record<AgingTable, number | undefined>> => ({
  inbound_deliveries: config.inboundRetentionDays,
  git_deliveries: config.inboundRetentionDays,
  automation_runs: config.automationRetentionDays,
  activities: config.activityRetentionDays,
  error_samples: config.errorSampleRetentionDays,
  lead_enquiries: config.enquiryRetentionDays,
  unmatched_punches: config.unmatchedPunchRetentionDays,
})

export interface ExpiringRecords {
  /** Whether a caller who waits for all due work may skip it. */
  readonly isInvisible?: boolean
  dueAt(): Promise<number | undefined>
  /** Deletes some of the expired rows. */
  prune(now: number): Promise<Pruned>
}

function expiringRecords(app: App): ExpiringRecords[] {
  const tables = Object.entries(daysOf(app.config)).flatMap(
    ([table, days]) => (days === undefined ? [] : [expiringTable(app, table as AgingTable, days * microsPerDay)]), // the keys of `daysOf` are tables
  )
  return [...tables, inboundBodies(app), idempotencyKeys(app), ...countTables.map((table) => hourlyCounts(app, table))]
}

const expiringTable = (app: App, table: AgingTable, retentionPeriod: number): ExpiringRecords => ({
  async dueAt() {
    const oldest = await oldestIn(app.db, table)
    return oldest === undefined ? undefined : oldest + retentionPeriod
  },
  prune: (now) => inTransaction(app, ({ db }) => pruneOldest(db, table, now - retentionPeriod)),
})

function inboundBodies(app: App): ExpiringRecords {
  const retentionPeriod = app.config.inboundBodyHours * microsPerHour
  return {
    async dueAt() {
      const oldest = await oldestBody(app.db)
      return oldest === undefined ? undefined : oldest + retentionPeriod
    },
    prune: (now) => inTransaction(app, ({ db }) => dropBodies(db, now - retentionPeriod)),
  }
}

/** The overview shows 30 days and the hours of today. */
const countedHours = 32 * 24

const hourlyCounts = (app: App, table: (typeof countTables)[number]): ExpiringRecords => ({
  isInvisible: true,
  async dueAt() {
    const hour = await oldestHour(app.db, table)
    return hour === undefined ? undefined : (hour + countedHours) * microsPerHour
  },
  prune: (now) =>
    inTransaction(app, ({ db }) => pruneCounts(db, table, Math.floor(now / microsPerHour) - countedHours)),
})

const idempotencyKeys = (app: App): ExpiringRecords => ({
  dueAt: () => soonestExpiry(app.db),
  prune: (now) => inTransaction(app, ({ db }) => pruneExpiredKeys(db, now)),
})

/** Deletes expired records, also those of modules. */
export const retentionTasks = (app: App, ofModules: readonly ExpiringRecords[]): MaintenanceTask[] =>
  [...expiringRecords(app), ...ofModules].map((aging) => toTask(app, aging))

/** Rows that expire within an hour are deleted together. */
function toTask(app: App, { dueAt, prune, isInvisible = false }: ExpiringRecords): MaintenanceTask {
  let pausedUntil = 0
  return {
    isInvisible,
    async nextDueAt() {
      const at = await dueAt()
      return at === undefined ? undefined : Math.max(at, pausedUntil)
    },
    async run() {
      const now = app.clock.now()
      const { more } = await prune(now)
      if (!more) pausedUntil = now + microsPerHour
      return more
    },
  }
}

const maxPruneMs = 1000

/** Deletes expired rows, including those of other modules, until none are left or a second has passed. */
export async function prune(
  app: App,
  others: readonly ExpiringRecords['prune'][],
): Promise<{ removed: number; done: boolean }> {
  const startedAt = app.clock.elapsedMs()
  let removed = 0
  for (const prune of [...expiringRecords(app).map((aging) => aging.prune), ...others]) {
    for (let more = true; more; ) {
      if (app.clock.elapsedMs() - startedAt > maxPruneMs) return { removed, done: false }
      const pruned = await prune(app.clock.now())
      removed += pruned.removed
      more = pruned.more
    }
  }
  return { removed, done: true }
}
