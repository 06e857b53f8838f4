import type { App } from '../context.ts'
import { after, earliest, type Micros } from '../core/clock.ts'
import { describeFault } from '../core/log.ts'
import { createMaintenance, type MaintenanceTask } from '../runtime/maintenance.ts'
import { createRetentionTask } from './outbox/retention.ts'
import { hasSubscriptions } from './queues/due-queries.ts'
import { nextDeliveryAt } from './queues/queue-queries.ts'
import { createDisablingTask, resumeQueues } from './queues/queues.ts'
import type { Worker, WorkerOptions } from './worker/worker.ts'

/** Sends webhooks. */
export interface Deliveries {
  /**
   * Sends every webhook that is due by the server's clock and resolves once each has an outcome and it is recorded.
   * Later retries wait for the clock. Due maintenance, such as SLA breaches and log retention, runs first.
   */
  runDue(): Promise<void>
}

export interface RunningDeliveries extends Deliveries {
  /**
   * When the next work is due: a delivery, a retry, a job, an SLA, or log retention. It may be in the past, and is
   * undefined if nothing is pending. To advance a clock by hand, stop at this time and call `runDue`.
   */
  nextDueAt(): Promise<Micros | undefined>
  begin(): Promise<void>
  /** Gives in-flight requests at most `withinMs` to finish. */
  stop(withinMs?: number): Promise<void>
}

export interface DeliveryOptions extends WorkerOptions {
  /** Additional maintenance tasks, see `maintenance.ts`. Retention of the delivery log is always included. */
  readonly maintenance?: readonly MaintenanceTask[]
}

const minSignalIntervalMs = 10

/**
 * Starts the worker when the first subscription exists; until then nothing is loaded and no timer runs. If several
 * processes share a database, a commit in one of them starts the workers of all.
 */
export function startDeliveries(app: App, { maintenance: jobs = [], ...options }: DeliveryOptions): RunningDeliveries {
  let worker: Promise<Worker> | undefined
  let stopListening: () => Promise<void> = async () => undefined
  let stopped = false
  const notifyOthers = otherWorkersNotifier(app)
  const maintenance = createMaintenance(app, [...jobs, createDisablingTask(app), createRetentionTask(app)])

  async function load(): Promise<Worker> {
    const [{ createWorker }, { runJobStep }] = await Promise.all([
      import('./worker/worker.ts'),
      import('./redelivery/redelivery.ts'),
    ])
    return createWorker(app, { ...options, runJobStep })
  }

  function wake(): void {
    if (stopped) return
    worker ??= load()
    worker.then(
      (loaded) => loaded.wake(),
      (fault: unknown) => app.log.error('The delivery worker could not start.', describeFault(fault)),
    )
  }

  app.wakeSignal.onNotify(() => {
    wake()
    notifyOthers()
  })
  return {
    async begin() {
      // Subscribe before the first poll, so that no commit in between is missed.
      stopListening = (await app.store.signals?.receive(wake)) ?? stopListening
      const isNeeded = await hasSubscriptions(app.db)
      if (isNeeded) await resumeQueues(app)
      maintenance.start()
      if (isNeeded) wake()
    },
    async runDue() {
      if (stopped) return
      await maintenance.runDue()
      if (worker === undefined && !(await hasSubscriptions(app.db))) return
      worker ??= load()
      await (await worker).runDue()
    },
    async nextDueAt() {
      const deliveryAt = await nextDeliveryAt(app.store, app.clock.scheduleNow())
      return earliest([
        await maintenance.nextDueAt(),
        deliveryAt === undefined ? undefined : app.clock.toWall(deliveryAt),
      ])
    },
    async stop(withinMs) {
      stopped = true
      await maintenance.stop()
      await worker?.then((loaded) => loaded.stop(withinMs))
      await stopListening()
    },
  }
}

/** Notifies the other processes on the database, at most a hundred times a second. */
function otherWorkersNotifier(app: App): () => void {
  let waiting = false
  return () => {
    const { signals } = app.store
    if (waiting || signals === undefined) return
    waiting = true
    after(minSignalIntervalMs, () => {
      waiting = false
      // A lost notification is harmless, see StoreSignals. If the database is unreachable, other queries report it.
      signals.send().catch(() => undefined)
    })
  }
}
