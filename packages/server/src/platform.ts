import { keyedParts, runningParts } from './app.ts'
import type { App } from './context.ts'
import { type RunningDeliveries, startDeliveries } from './delivery/deliveries.ts'
import type { WorkerOptions } from './delivery/worker.ts'
import { createHttp } from './http/app.ts'
import { serviceLevelUpkeep } from './modules/automation/sla.ts'
import type { Store } from './store/store.ts'

/** An app with its doors and its deliveries running. */
export interface Platform {
  readonly app: App
  readonly deliveries: Pick<RunningDeliveries, 'runDue' | 'nextDueAt'>
  answer(request: Request, env?: object): Response | Promise<Response>
  /** Drops what runs, with the old database and all that was remembered of it, and goes on with this one. */
  goOnWith(store: Store, encryptionKey: string | undefined): Promise<void>
  stop(): Promise<void>
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
    answer: (request, env) => running.http.fetch(request, env),
    async goOnWith(store, encryptionKey) {
      await running.deliveries.stop()
      const old = app.store
      // The one place where an app changes, so that whoever holds it, or `admin`, goes on with the new database too.
      Object.assign(app, runningParts(store), keyedParts(app, encryptionKey ?? app.config.encryptionKey))
      running = start(app, options)
      await running.deliveries.begin()
      await old.close()
    },
    async stop() {
      await running.deliveries.stop()
      await app.store.close()
    },
  }
}

const start = (app: App, options: WorkerOptions) => ({
  deliveries: startDeliveries(app, { ...options, upkeep: [serviceLevelUpkeep(app)] }),
  http: createHttp(app),
})
