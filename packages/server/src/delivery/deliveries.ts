import { after, type Micros } from '../clock.ts'
import type { App } from '../context.ts'
import { describeFault } from '../log.ts'
import { createUpkeep, earliest, type UpkeepJob } from '../upkeep.ts'
import { nextDeliveryAt } from './ahead-queries.ts'
import { retentionUpkeep } from './retention.ts'
import { hasSubscriptions } from './target-queries.ts'
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

/** What the server itself has in hand of it. */
export interface RunningDeliveries extends Deliveries {
  /**
   * The earliest moment for which there is something to do: a delivery, a retry, a job, a service level, the log's age.
   * It may have passed; undefined when nothing waits. Whoever moves a clock by hand stops there and calls `runDue`.
   */
  nextDueAt(): Promise<Micros | undefined>
  begin(): Promise<void>
  stop(): Promise<void>
}

export interface DeliveryOptions extends WorkerOptions {
  /** What else the clock finds, see `upkeep.ts`. The age of the delivery's own log need not be named. */
  readonly upkeep?: readonly UpkeepJob[]
}

const signalAtMostEveryMs = 10

/** Starts the worker as soon as there is somebody to send to; until then nothing is loaded and no timer runs. */
export function startDeliveries(app: App, { upkeep: jobs = [], ...options }: DeliveryOptions): RunningDeliveries {
  let worker: Promise<Worker> | undefined
  let deaf: () => Promise<void> = async () => undefined
  let stopped = false
  const tellOthers = signalOthers(app)
  const upkeep = createUpkeep(app, [...jobs, retentionUpkeep(app)])

  async function load(): Promise<Worker> {
    const { createWorker } = await import('./worker.ts')
    const created = createWorker(app, options)
    const stopListening = await app.store.signals?.receive(created.wake)
    deaf = stopListening ?? deaf
    return created
  }

  function wake(): void {
    if (stopped) return
    worker ??= load()
    worker.then(
      (loaded) => loaded.wake(),
      (fault: unknown) => app.log.error('The delivery worker cannot be started.', describeFault(fault)),
    )
  }

  app.bell.answeredBy(() => {
    wake()
    tellOthers()
  })
  return {
    async begin() {
      upkeep.begin()
      if (await hasSubscriptions(app.db)) wake()
    },
    async runDue() {
      if (stopped) return
      await upkeep.runDue()
      if (worker === undefined && !(await hasSubscriptions(app.db))) return
      worker ??= load()
      await (await worker).runDue()
    },
    nextDueAt: async () => earliest([await upkeep.nextDueAt(), await nextDeliveryAt(app.store, app.clock.now())]),
    async stop() {
      stopped = true
      await upkeep.stop()
      await worker?.then((loaded) => loaded.stop())
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
      // A lost word is no harm, see StoreSignals; a database that is gone is reported by those who need it.
      signals.send().catch(() => undefined)
    })
  }
}
