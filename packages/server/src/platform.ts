import { storeBoundParts, withEncryptionKey } from './app.ts'
import type { App } from './context.ts'
import { type RunningDeliveries, startDeliveries } from './delivery/deliveries.ts'
import type { WorkerOptions } from './delivery/worker/worker.ts'
import { createHttp } from './http/app.ts'
import { expiringAuditEntries } from './modules/audit-log/service.ts'
import { createSlaTask } from './modules/automation/hooks.ts'
import { backupTask } from './modules/backups/service.ts'
import { createIndexTask } from './modules/tickets/search-index.ts'
import { rateWindowTask } from './modules/tokens/service.ts'
import { retentionTasks } from './runtime/retention.ts'
import type { Store } from './store/store.ts'

/** An app with its HTTP handler and running deliveries. */
export interface Platform {
  readonly app: App
  readonly deliveries: Pick<RunningDeliveries, 'runDue' | 'nextDueAt'>
  handle(request: Request, env?: object): Response | Promise<Response>
  /** Stops the background work, drops the old database and its caches, and continues with this database. */
  swapStore(store: Store, encryptionKey: string | undefined): Promise<void>
  /** In-flight webhooks get at most `withinMs` to finish. */
  stop(withinMs?: number): Promise<void>
}

export async function runPlatform(app: App, options: WorkerOptions): Promise<Platform> {
  let running = start(app, options)
  await running.deliveries.begin()
  return {
    app,
    deliveries: {
      runDue: () => running.deliveries.runDue(),
      nextDueAt: () => running.deliveries.nextDueAt(),
    },
    handle: (request, env) => running.http.fetch(request, env),
    async swapStore(store, encryptionKey) {
      await running.deliveries.stop()
      await app.changes.close()
      const old = app.store
      // The only place that mutates an app, so that every reference to it, or to `admin`, uses the new database too.
      Object.assign(app, storeBoundParts(store), withEncryptionKey(app, encryptionKey ?? app.config.encryptionKey))
      running = start(app, options)
      await running.deliveries.begin()
      await old.close()
    },
    async stop(withinMs) {
      await running.deliveries.stop(withinMs)
      await app.changes.close()
      await app.store.close()
    },
  }
}

const start = (app: App, options: WorkerOptions) => ({
  deliveries: startDeliveries(app, {
    ...options,
    maintenance: [
      createSlaTask(app),
      createIndexTask(app),
      rateWindowTask(app),
      ...retentionTasks(app, expiringAuditEntries(app)),
      ...backupTask(app),
    ],
  }),
  http: createHttp(app),
})
