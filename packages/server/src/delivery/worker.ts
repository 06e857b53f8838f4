import { randomUUID } from 'node:crypto'
import type { App } from '../context.ts'
import { after, type Micros, stopwatchMs } from '../core/clock.ts'
import { describeFault } from '../core/log.ts'
import { createRunLoop, type Iteration, type RunLoop } from '../runtime/run-loop.ts'
import { flushOutcomes } from './dispatch/flush-outcomes.ts'
import { createSender, type SendInterceptor } from './dispatch/send.ts'
import { createEgress, type Lookup } from './egress.ts'
import {
  acquireLeases,
  initialMeanQueueLength,
  isShared,
  prefetch,
  refreshLeases,
  releaseExcess,
  renewLeases,
  usualLeaseMs,
} from './leases/lease-queues.ts'
import { peekPendingWork } from './leases/queue-queries.ts'
import { scheduleNotes } from './leases/queues.ts'
import type { WorkerState } from './leases/worker-state.ts'
import { stepJob } from './redelivery/redelivery.ts'

export interface Worker {
  wake(): void
  /** Sends all that is due by now and resolves when every request is over and recorded. */
  runDue(): Promise<void>
  /** Begins nothing more, lets requests under way finish for so long at most, and gives the queues back. */
  stop(withinMs?: number): Promise<void>
}

export interface WorkerOptions {
  readonly lookup?: Lookup | undefined
  readonly leaseMs?: number | undefined
  readonly interceptSend?: SendInterceptor | undefined
}

/**
 * What is over is written down at once: a crash repeats what was not. Only where the last write has just begun it waits,
 * unless there is much of it, because a commit for many costs what one for one does.
 */
const fullBatch = 128
const betweenWritesMs = 5
const drainTimeoutMs = 10_000

export function createWorker(app: App, options: WorkerOptions = {}): Worker {
  const worker = startWorker(app, options)
  const runLoop = createRunLoop(app, { name: 'The delivery worker', iterate: () => runCycle(worker) })
  const finishes = watchFinishes(worker, runLoop)
  const heartbeat = createRunLoop(app, {
    name: 'The heartbeat of the worker',
    iterate: () => renewLeases(worker, runLoop.wake),
  })
  if (isShared(worker)) heartbeat.wake()
  return {
    wake: runLoop.wake,
    async runDue() {
      while (worker.phase === 'working') {
        runLoop.wake()
        await runLoop.idle()
        if (worker.inFlight > 0) await finishes.all()
        else if (worker.leased.size === 0 && (await isQuiet(app))) return
      }
    },
    async stop(withinMs = drainTimeoutMs) {
      await drain(worker, finishes, Math.min(withinMs, drainTimeoutMs))
      runLoop.stop()
      await runLoop.idle().catch(() => undefined)
      heartbeat.stop()
      await heartbeat.idle()
      await flushOutcomes(worker).catch((fault: unknown) =>
        app.log.error('The last attempts were not recorded.', describeFault(fault)),
      )
      await worker.sender.close()
    },
  }
}

function startWorker(app: App, { lookup, leaseMs, interceptSend }: WorkerOptions): WorkerState {
  const { egressAllow, deliveryTimeoutMs: timeoutMs } = app.config
  return {
    app,
    sender: createSender({ egress: createEgress(egressAllow, lookup), timeoutMs }),
    interceptSend: interceptSend ?? (({ delivery, buildRequest, at }, send) => send(buildRequest(delivery, at))),
    noteSchedule: scheduleNotes(app),
    token: randomUUID(),
    leaseMs: leaseMs ?? usualLeaseMs({ app }),
    leased: new Map(),
    bodies: { bytes: 0 },
    meanQueueLength: initialMeanQueueLength,
    lastReleasedAtMs: 0,
    outcomes: [],
    shouldFlush: false,
    inFlight: 0,
    phase: 'working',
    onFinished: () => undefined,
  }
}

interface Finishes {
  all(): Promise<void>
}

function watchFinishes(worker: WorkerState, runLoop: RunLoop): Finishes {
  let gathering = false
  let recordedAt = 0
  const waiting: (() => void)[] = []
  const record = (now: number) => {
    recordedAt = now
    worker.shouldFlush = true
    runLoop.wake()
  }
  worker.onFinished = () => {
    if (worker.inFlight === 0) for (const tell of waiting.splice(0)) tell()
    const now = stopwatchMs()
    const wait = betweenWritesMs - (now - recordedAt)
    if (wait <= 0 || worker.outcomes.length >= fullBatch || worker.inFlight === 0) record(now)
    else if (!gathering) {
      gathering = true
      after(wait, () => {
        gathering = false
        record(stopwatchMs())
      })
    }
  }
  return { all: () => new Promise((resolve) => waiting.push(resolve)) }
}

/** What does not finish in time is cut off; its outcome is not recorded, so it is sent again. */
async function drain(worker: WorkerState, finishes: Finishes, withinMs: number): Promise<void> {
  worker.phase = 'stopping'
  const late = after(withinMs, () => {
    worker.phase = 'aborted'
    void worker.sender.close()
  })
  if (worker.inFlight > 0) await finishes.all()
  late()
}

async function isQuiet(app: App): Promise<boolean> {
  const { arrived, due, jobs } = await peekPendingWork(app)
  return !arrived && !due && !jobs
}

/** How often to look without being told: in a database that others share, a word may get lost. */
const longestSleepMs = 5000
const sleepWhileSendingMs = 1000

/** One round: write down what is over, take up what is due, fill the free places, do a step of the long jobs. */
async function runCycle(worker: WorkerState): Promise<Iteration> {
  const { app } = worker
  await worker.noteSchedule()
  releaseExcess(worker)
  const saved = await flushOutcomes(worker)
  if (worker.phase !== 'working') return { didWork: saved }
  const { arrived, due, jobs, nextAt } = await peekPendingWork(app)
  const leased = (arrived || due) && (await acquireLeases(worker))
  const refreshed = await refreshLeases(worker)
  await prefetch(worker)
  const stepped = jobs && (await stepJob(app))
  // After a round in which something moved comes another: a queue with nothing to send after all is let go in it.
  return { didWork: saved || leased || refreshed || stepped, nextRunInMs: msToNextLook(worker, nextAt) }
}

function msToNextLook({ app, leased }: WorkerState, nextAt: Micros | undefined): number {
  const longest = leased.size > 0 ? sleepWhileSendingMs : longestSleepMs
  return nextAt === undefined ? longest : Math.min(longest, (nextAt - app.clock.scheduleNow()) / 1000)
}
