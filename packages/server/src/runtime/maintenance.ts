import type { App } from '../context.ts'
import { earliest, type Micros, microsPerMinute, microsPerSecond } from '../core/clock.ts'
import { createRunLoop, type Iteration } from './run-loop.ts'

// Work that is triggered by time, not by requests: due times that have passed, and expired logs. Each task reads its
// due time from the database, so restarts lose nothing. Without a due time, no timer runs.

export interface MaintenanceTask {
  /** True if it has no effect that callers can see. A manual clock then does not stop for it. */
  readonly isInvisible?: boolean
  /** When there is work to do, possibly in the past; undefined if none is scheduled. */
  nextDueAt(): Promise<Micros | undefined>
  /** Does some or all of the due work; returns whether it did any. */
  run(): Promise<boolean>
}

export interface Maintenance {
  /** Starts running tasks automatically, if the clock has timers. */
  start(): void
  runDue(): Promise<void>
  nextDueAt(): Promise<Micros | undefined>
  stop(): Promise<void>
}

/** The longest sleep. Another process may have scheduled work, or the machine's clock may have been set. */
const maxSleep = microsPerMinute
const minSleep = microsPerSecond

export function createMaintenance(app: App, tasks: readonly MaintenanceTask[]): Maintenance {
  let scheduledFor = Number.POSITIVE_INFINITY

  async function iterate(): Promise<Iteration> {
    // Work that is scheduled from now on may belong to a task that has been asked already.
    scheduledFor = Number.POSITIVE_INFINITY
    let didWork = false
    for (const job of tasks) if (await isDue(app, job)) didWork = (await job.run()) || didWork
    if (didWork) return { didWork }
    const at = await findFirstDue(tasks)
    scheduledFor = at ?? Number.POSITIVE_INFINITY
    return at === undefined ? { didWork } : { didWork, nextRunInMs: pauseUntil(at, app.clock.now()) }
  }

  const runLoop = createRunLoop(app, { name: 'Maintenance', iterate })
  return {
    start() {
      if (app.clock.after === undefined) return
      app.dueSignal.onSchedule((at) => {
        if (at >= scheduledFor) return
        scheduledFor = at
        runLoop.wake()
      })
      runLoop.wake()
    },
    async runDue() {
      runLoop.wake()
      await runLoop.idle()
    },
    nextDueAt: () => findFirstDue(tasks.filter(({ isInvisible }) => isInvisible !== true)),
    async stop() {
      runLoop.stop()
      await runLoop.idle().catch(() => undefined)
    },
  }
}

async function isDue({ clock }: App, task: MaintenanceTask): Promise<boolean> {
  const at = await task.nextDueAt()
  return at !== undefined && at <= clock.now()
}

/** Asks one task after the other: at once, they would open every connection of the pool. */
async function findFirstDue(tasks: readonly MaintenanceTask[]): Promise<Micros | undefined> {
  const dueTimes: (Micros | undefined)[] = []
  for (const task of tasks) dueTimes.push(await task.nextDueAt())
  return earliest(dueTimes)
}

const pauseUntil = (at: Micros, now: Micros): number => Math.min(Math.max(at - now, minSleep), maxSleep) / 1000
