import type { App } from '../context.ts'
import { after, earliest, type Micros } from '../core/clock.ts'
import { describeFault } from '../core/log.ts'
import { createMaintenance, type MaintenanceTask } from '../runtime/maintenance.ts'
import { hasSubscriptions } from './dispatch/due-queries.ts'
import { nextDeliveryAt } from './leases/queue-queries.ts'
import { createDisablingTask, resumeQueues } from './leases/queues.ts'
import { createRetentionTask } from './outbox/retention.ts'
import type { Worker, WorkerOptions } from './worker.ts'

/** The sending side of the platform. */
export interface Deliveries {
  /**
   * Sends every webhook that is due by the server's clock and resolves when all of them have been answered or have
   * failed, and that is recorded. What is to be tried again later waits for the clock. Whatever else the clock has made
   * due is done first: service levels that were broken, logs that have grown too old.
   */
  runDue(): Promise<void>
}

export interface RunningDeliveries extends Deliveries {
  /**
   * The earliest moment for which there is something to do: a delivery, a retry, a job, a service level, the log's age.
   * It may have passed; undefined when nothing waits. Whoever moves a clock by hand stops there and calls `runDue`.
   */
  nextDueAt(): Promise<Micros | undefined>
  begin(): Promise<void>
  /** Requests under way may take so long to finish. */
  stop(withinMs?: number): Promise<void>
}

export interface DeliveryOptions extends WorkerOptions {
  /** What else the clock finds, see `maintenance.ts`. The age of the delivery's own log need not be named. */
  readonly maintenance?: readonly MaintenanceTask[]
}

const signalAtMostEveryMs = 10

/**
 * Starts the worker as soon as there is somebody to send to; until then nothing is loaded and no timer runs. Where several
 * processes share a database, what one of them commits starts the worker of all.
 */
export function startDeliveries(app: App, { maintenance: jobs = [], ...options }: DeliveryOptions): RunningDeliveries {
  let worker: Promise<Worker> | undefined
  let deaf: () => Promise<void> = async () => undefined
  let stopped = false
  const tellOthers = signalOthers(app)
  const maintenance = createMaintenance(app, [...jobs, createDisablingTask(app), createRetentionTask(app)])

  async function load(): Promise<Worker> {
    const { createWorker } = await import('./worker.ts')
    return createWorker(app, options)
  }

  function wake(): void {
    if (stopped) return
    worker ??= load()
    worker.then(
      (loaded) => loaded.wake(),
      (fault: unknown) => app.log.error('The delivery worker cannot be started.', describeFault(fault)),
    )
  }

  app.wakeSignal.onNotify(() => {
    wake()
    tellOthers()
  })
  return {
    async begin() {
      // Before it looks, so that nothing that is committed in between is missed.
      deaf = (await app.store.signals?.receive(wake)) ?? deaf
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
      await deaf()
    },
  }
}

/** Tells the other processes on the database, at most a hundred times a second. */
function signalOthers(app: App): () => void {
  let waiting = false
  return () => {
    const { signals } = app.store
    if (waiting || signals === undefined) return
    waiting = true
    after(signalAtMostEveryMs, () => {
      waiting = false
      // A lost notification does no harm, see StoreSignals; a database that is gone is reported by those who need it.
      signals.send().catch(() => undefined)
    })
  }
}
