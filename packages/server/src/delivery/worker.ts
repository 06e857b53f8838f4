import { randomUUID } from 'node:crypto'
import type { App } from '../context.ts'
import { after, type Micros, stopwatchMs } from '../core/clock.ts'
import { describeFault } from '../core/log.ts'
import { createRunLoop, type Iteration, type RunLoop } from '../runtime/run-loop.ts'
import { flushOutcomes } from './dispatch/flush-outcomes.ts'
import { createSender, type SendInterceptor } from './dispatch/send.ts'
import { createEgress, type Lookup } from './egress.ts'
import { acquireLeases, initialMeanQueueLength, prefetch, refreshLeases, releaseExcess } from './leases/lease-queues.ts'
import { peekPendingWork } from './leases/queue-queries.ts'
import { scheduleOffsetWriter } from './leases/queues.ts'
import { defaultLeaseMs, isShared, renewLeases } from './leases/renew-leases.ts'
import type { WorkerState } from './leases/worker-state.ts'
import { runJobStep } from './redelivery/redelivery.ts'

export interface Worker {
  wake(): void
  /** Sends every delivery that is due and resolves once all outcomes are recorded. */
  runDue(): Promise<void>
  /** Stops starting requests, gives in-flight ones at most `withinMs` to finish, and releases the leases. */
  stop(withinMs?: number): Promise<void>
}

export interface WorkerOptions {
  readonly lookup?: Lookup | undefined
  readonly leaseMs?: number | undefined
  readonly interceptSend?: SendInterceptor | undefined
}

/**
 * Outcomes are recorded as soon as possible, because a crash repeats every attempt that is not recorded. Within
 * `betweenWritesMs` of the last flush they are batched, up to `fullBatch`, because one commit costs the same for many.
 */
const fullBatch = 128
const flushIntervalMs = 5
const drainTimeoutMs = 10_000

export function createWorker(app: App, options: WorkerOptions = {}): Worker {
  const worker = startWorker(app, options)
  const runLoop = createRunLoop(app, { name: 'The delivery worker', iterate: () => runCycle(worker) })
  const finishes = watchFinishes(worker, runLoop)
  const heartbeat = createRunLoop(app, {
    name: 'The delivery worker heartbeat',
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
        app.log.error('The last delivery attempts could not be recorded.', describeFault(fault)),
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
    saveScheduleOffset: scheduleOffsetWriter(app),
    token: randomUUID(),
    leaseMs: leaseMs ?? defaultLeaseMs({ app }),
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

interface FinishWatch {
  all(): Promise<void>
}

function watchFinishes(worker: WorkerState, runLoop: RunLoop): FinishWatch {
  let isScheduled = false
  let flushedAt = 0
  const waiting: (() => void)[] = []
  const flush = (now: number) => {
    flushedAt = now
    worker.shouldFlush = true
    runLoop.wake()
  }
  worker.onFinished = () => {
    if (worker.inFlight === 0) for (const resolve of waiting.splice(0)) resolve()
    const now = stopwatchMs()
    const wait = flushIntervalMs - (now - flushedAt)
    if (wait <= 0 || worker.outcomes.length >= fullBatch || worker.inFlight === 0) flush(now)
    else if (!isScheduled) {
      isScheduled = true
      after(wait, () => {
        isScheduled = false
        flush(stopwatchMs())
      })
    }
  }
  return { all: () => new Promise((resolve) => waiting.push(resolve)) }
}

/** Aborts requests that do not finish in time. Their outcomes are not recorded, so they are sent again. */
async function drain(worker: WorkerState, finishes: FinishWatch, withinMs: number): Promise<void> {
  worker.phase = 'stopping'
  const cancelTimer = after(withinMs, () => {
    worker.phase = 'aborted'
    void worker.sender.close()
  })
  if (worker.inFlight > 0) await finishes.all()
  cancelTimer()
}

async function isQuiet(app: App): Promise<boolean> {
  const { arrived, due, jobs } = await peekPendingWork(app)
  return !arrived && !due && !jobs
}

/** The longest wait between two polls. A shared database may lose notifications. */
const maxSleepMs = 5000
const maxSleepWhileSendingMs = 1000

/** One iteration: record outcomes, lease due queues, fill free slots, run one step of the long jobs. */
async function runCycle(worker: WorkerState): Promise<Iteration> {
  const { app } = worker
  await worker.saveScheduleOffset()
  releaseExcess(worker)
  const saved = await flushOutcomes(worker)
  if (worker.phase !== 'working') return { didWork: saved }
  const { arrived, due, jobs, nextAt } = await peekPendingWork(app)
  const leased = (arrived || due) && (await acquireLeases(worker))
  const refreshed = await refreshLeases(worker)
  await prefetch(worker)
  const stepped = jobs && (await runJobStep(app))
  // An iteration that did work is followed by another, which releases queues that turned out to be empty.
  return { didWork: saved || leased || refreshed || stepped, nextRunInMs: msToNextRun(worker, nextAt) }
}

function msToNextRun({ app, leased }: WorkerState, nextAt: Micros | undefined): number {
  const longest = leased.size > 0 ? maxSleepWhileSendingMs : maxSleepMs
  return nextAt === undefined ? longest : Math.min(longest, (nextAt - app.clock.scheduleNow()) / 1000)
}
