import type { App } from '../context.ts'
import { earliest, type Micros, microsPerMinute, microsPerSecond } from '../core/clock.ts'
import { createRunLoop, type Iteration } from './run-loop.ts'

// Work that no request starts and only the clock finds: due times that have passed, logs that have grown old. Each job says from
// the database when it is due, so a restart forgets nothing, and while none is in sight no timer runs.

export interface MaintenanceTask {
  /** Changes nothing that a caller can see, so a clock that is moved by hand does not stop for it. */
  readonly isInvisible?: boolean
  /** When there is something to do, also when that has passed; undefined while nothing is in sight. */
  nextDueAt(): Promise<Micros | undefined>
  /** Does what is due by now, or some of it; says whether it did anything. */
  run(): Promise<boolean>
}

export interface Maintenance {
  /** From now on it runs by itself, where the clock can wake it. */
  start(): void
  runDue(): Promise<void>
  nextDueAt(): Promise<Micros | undefined>
  stop(): Promise<void>
}

/** The longest sleep: another process may have made something due unnoticed, or the machine's clock may have been set. */
const longestSleep = microsPerMinute
const shortestSleep = microsPerSecond

export function createMaintenance(app: App, jobs: readonly MaintenanceTask[]): Maintenance {
  const firstDueOf = async (some: readonly MaintenanceTask[]) =>
    earliest(await Promise.all(some.map((job) => job.nextDueAt())))
  let setFor = Number.POSITIVE_INFINITY

  async function iterate(): Promise<Iteration> {
    let didWork = false
    for (const job of jobs) if (await isDue(app, job)) didWork = (await job.run()) || didWork
    if (didWork) return { didWork }
    const at = await firstDueOf(jobs)
    setFor = at ?? Number.POSITIVE_INFINITY
    return at === undefined ? { didWork } : { didWork, nextRunInMs: pauseUntil(at, app.clock.now()) }
  }

  const runLoop = createRunLoop(app, { name: 'The upkeep', iterate })
  return {
    start() {
      if (app.clock.after === undefined) return
      app.dueSignal.onSchedule((at) => {
        if (at >= setFor) return
        setFor = at
        runLoop.wake()
      })
      runLoop.wake()
    },
    async runDue() {
      runLoop.wake()
      await runLoop.idle()
    },
    nextDueAt: () => firstDueOf(jobs.filter(({ isInvisible }) => isInvisible !== true)),
    async stop() {
      runLoop.stop()
      await runLoop.idle().catch(() => undefined)
    },
  }
}

async function isDue({ clock }: App, job: MaintenanceTask): Promise<boolean> {
  const at = await job.nextDueAt()
  return at !== undefined && at <= clock.now()
}

const pauseUntil = (at: Micros, now: Micros): number => Math.min(Math.max(at - now, shortestSleep), longestSleep) / 1000
