import { after } from '../clock.ts'
import type { App } from '../context.ts'
import { describeFault } from '../log.ts'
import { hasSubscriptions } from './target-queries.ts'
import type { Worker, WorkerOptions } from './worker.ts'

/** The sending side of the platform. */
export interface Deliveries {
  /**
   * Sends every webhook that is due by the server's clock and resolves when all of them have been answered or have
   * failed, and that is recorded. What is to be tried again later waits for the clock.
   */
  runDue(): Promise<void>
}

const signalAtMostEveryMs = 10

/** Starts the worker as soon as there is somebody to send to; until then nothing is loaded and no timer runs. */
export function startDeliveries(
  app: App,
  options: WorkerOptions,
): Deliveries & { begin(): Promise<void>; stop(): Promise<void> } {
  let worker: Promise<Worker> | undefined
  let deaf: () => Promise<void> = async () => undefined
  let stopped = false
  const tellOthers = signalOthers(app)

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
      if (await hasSubscriptions(app.db)) wake()
    },
    async runDue() {
      if (stopped || (worker === undefined && !(await hasSubscriptions(app.db)))) return
      worker ??= load()
      await (await worker).runDue()
    },
    async stop() {
      stopped = true
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
