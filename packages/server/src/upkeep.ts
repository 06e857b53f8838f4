import { type Micros, microsPerHour, microsPerSecond } from './clock.ts'
import type { App } from './context.ts'
import { createWheel, type Round } from './wheel.ts'

// What nobody asks for and only the clock finds: due times that have passed, logs that have grown old. Each job says from
// the database when it is due, so a restart forgets nothing, and while none is in sight no timer runs.

/** Something that is done when its time has come. */
export interface UpkeepJob {
  /** When there is something to do, also when that has passed; undefined while nothing is in sight. */
  nextDueAt(): Promise<Micros | undefined>
  /** Does what is due by now, or some of it; says whether it did anything. */
  run(): Promise<boolean>
}

export interface Upkeep {
  /** From now on it runs by itself, where the clock can wake it. */
  begin(): void
  /** Does all that is due by now. */
  runDue(): Promise<void>
  nextDueAt(): Promise<Micros | undefined>
  stop(): Promise<void>
}

/** Another process may have made something due without a word, so nobody sleeps longer. */
const longestSleep = microsPerHour
const shortestSleep = microsPerSecond

export function createUpkeep(app: App, jobs: readonly UpkeepJob[]): Upkeep {
  const nextDueAt = async () => earliest(await Promise.all(jobs.map((job) => job.nextDueAt())))
  let setFor = Number.POSITIVE_INFINITY

  async function turn(): Promise<Round> {
    let moved = false
    for (const job of jobs) if (await isDue(app, job)) moved = (await job.run()) || moved
    if (moved) return { moved }
    const at = await nextDueAt()
    setFor = at ?? Number.POSITIVE_INFINITY
    return at === undefined ? { moved } : { moved, lookAgainAt: between(app.clock.now(), at) }
  }

  const wheel = createWheel(app, { name: 'The upkeep', turn })
  return {
    begin() {
      if (app.clock.after === undefined) return
      app.alarm.answeredBy((at) => {
        if (at >= setFor) return
        setFor = at
        wheel.wake()
      })
      wheel.wake()
    },
    async runDue() {
      wheel.wake()
      await wheel.rest()
    },
    nextDueAt,
    async stop() {
      wheel.stop()
      await wheel.rest().catch(() => undefined)
    },
  }
}

async function isDue({ clock }: App, job: UpkeepJob): Promise<boolean> {
  const at = await job.nextDueAt()
  return at !== undefined && at <= clock.now()
}

const between = (now: Micros, at: Micros): Micros => Math.min(Math.max(at, now + shortestSleep), now + longestSleep)

/** The first of several moments, of which some may not be known. */
export function earliest(moments: readonly (Micros | undefined)[]): Micros | undefined {
  const known = moments.filter((at) => at !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
