import type { App } from '../../core/context.ts'
import type { MaintenanceTask } from '../../runtime/maintenance.ts'
import { inTransaction } from '../../store/transaction.ts'
import { disabledAfter } from '../dispatch/health.ts'
import { findGivenUp, longestFailing } from './queue-queries.ts'
import { pauseQueue } from './queues.ts'

const atOnce = 100

/** Disables what has failed for too long when that time is over: the next attempt may be a day away, or never come. */
export function createDisablingTask(app: App): MaintenanceTask {
  return {
    async nextDueAt() {
      const since = await longestFailing(app.db)
      return since === undefined ? undefined : app.clock.toWall(since + disabledAfter)
    },
    run: () =>
      inTransaction(app, async (app) => {
        const failingSince = app.clock.scheduleNow() - disabledAfter
        const found = await findGivenUp(app.store, { failingSince, limit: atOnce })
        for (const { workspaceId, subscriptionId: id } of found) {
          await pauseQueue(app, { workspaceId, id }, 'failing')
          app.store.afterCommit(() => noteDisabled(app, { subscription_id: id, workspace_id: workspaceId }, 'failing'))
        }
        return found.length > 0
      }),
  }
}

export function noteDisabled(
  { log }: Pick<App, 'log'>,
  subscription: { readonly subscription_id: number; readonly workspace_id: number },
  reason: string,
): void {
  log.warn(`Subscription ${subscription.subscription_id} is disabled (${reason}); its deliveries are held.`, {
    ...subscription,
    reason,
  })
}
