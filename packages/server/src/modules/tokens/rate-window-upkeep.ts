import { type Micros, microsPerMinute } from '../../core/clock.ts'
import type { App } from '../../core/context.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import { inTransaction } from '../../store/transaction.ts'
import { forgetEndedWindows, hasWindows } from './counting-queries.ts'
import { sharedTime } from './shared-time.ts'

/** Removes rate windows that are over, a minute after there is one: callers with ever new addresses must not fill a disk. */
export function rateWindowUpkeep(app: App): MaintenanceTask {
  let dueAt: Micros | undefined
  return {
    async nextDueAt() {
      if (app.store.dialect !== 'postgres' || !(await hasWindows(app.db))) return undefined
      dueAt ??= app.clock.now() + 2 * microsPerMinute
      return dueAt
    },
    async run() {
      dueAt = undefined
      return inTransaction(app, (app) => forgetEndedWindows(app.db, sharedTime(app.clock)))
    },
  }
}
