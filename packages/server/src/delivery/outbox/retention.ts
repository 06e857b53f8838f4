import type { App } from '../../context.ts'
import { microsPerDay, microsPerHour } from '../../core/clock.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import type { Pruned } from '../../store/retention-queries.ts'
import { inTransaction, lockText } from '../../store/transaction.ts'
import { batch, findExpired, oldestEventAt, prunedTables, pruneJobs, removeExpired } from './retention-queries.ts'

/** How long to wait after everything prunable was deleted. Held deliveries stay, so age alone cannot decide. */
const pauseAfterWork = microsPerHour
const pauseWhenIdle = microsPerDay

const retentionPeriod = ({ config }: App) => config.deliveryRetentionDays * microsPerDay

export function createRetentionTask(app: App): MaintenanceTask {
  const prune = deliveryPruning(app)
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  let hasRemoved = false
  return {
    async nextDueAt() {
      const oldest = await oldestEventAt(app.db)
      if (oldest === undefined) return undefined
      const { clock } = app
      const pause = Math.max(0, Math.round((pausedUntilMs - clock.elapsedMs()) * 1000))
      const dueAt = oldest + retentionPeriod(app)
      return pause === 0 ? dueAt : Math.max(dueAt, clock.now() + pause)
    },
    async run() {
      const startedAtMs = app.clock.elapsedMs()
      let more = true
      while (more) {
        if (app.clock.elapsedMs() - startedAtMs > maxRunMs) return true
        const pruned = await prune()
        hasRemoved ||= pruned.removed > 0
        more = pruned.more
      }
      const didWork = hasRemoved
      pausedUntilMs = app.clock.elapsedMs() + (hasRemoved ? pauseAfterWork : pauseWhenIdle) / 1000
      hasRemoved = false
      return didWork
    },
  }
}

/** How long to delete before other maintenance gets its turn. */
const maxRunMs = 250

/**
 * Each call deletes some expired attempts, deliveries, events, or jobs. The calls read each table once in id order, which is
 * the order of time, so that no batch reads again what an earlier one has kept or deleted.
 */
export function deliveryPruning(app: App): () => Promise<Pruned> {
  const start = { tables: prunedTables, lastId: 0 }
  let next = start
  return async () => {
    const { lastId, tables } = next
    const [table, ...others] = tables
    const before = app.clock.now() - retentionPeriod(app)
    if (table === undefined) {
      const removed = await inTransaction(app, ({ store }) => pruneJobs(store, before))
      if (removed < batch) next = start
      return { removed, more: removed >= batch }
    }
    const { expired, removed } = await inTransaction(app, async (app) => {
      // Processes take turns. Otherwise they would all wait to delete the same rows.
      await lockText(app, 'delivery retention')
      const expired = await findExpired(app.store, table, { lastId, before })
      return { expired, removed: await removeExpired(app.store, table, expired) }
    })
    const last = expired[batch - 1]
    next = last === undefined ? { tables: others, lastId: 0 } : { tables, lastId: last.id }
    return { removed, more: true }
  }
}
