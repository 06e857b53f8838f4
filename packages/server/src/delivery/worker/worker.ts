import { randomUUID } from 'node:crypto'
import type { App } from '../../context.ts'
import { after, type Micros, stopwatchMs } from '../../core/clock.ts'
import { describeFault } from '../../core/log.ts'
import { createRunLoop, type Iteration, type RunLoop } from '../../runtime/run-loop.ts'
import { createEgress, type Lookup } from '../egress.ts'
import { peekPendingWork } from '../queues/queue-queries.ts'
import { scheduleOffsetWriter } from '../queues/queues.ts'
import { flushOutcomes } from './flush-outcomes.ts'
import {
  acquireLeases,
  canLease,
  initialMeanQueueLength,
  prefetch,
  refreshLeases,
  releaseExcess,
} from './lease-queues.ts'
import { defaultLeaseMs, isShared, renewLeases } from './renew-leases.ts'
import { createSender, type SendInterceptor } from './send.ts'
import type { WorkerState } from './worker-state.ts'

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

export interface JobRunner {
  /** Runs a step of a job, and returns the workspace of the job, if there is one. */
  readonly runJobStep: (app: App, lastWorkspaceId: number) => Promise<number | undefined>
}

interface CycleOptions extends JobRunner {
  /** Called after each request. */
  readonly onFinished: () => void
}

/**
 * Outcomes are recorded as soon as possible, because a crash repeats every attempt that is not recorded. Within
 * `flushIntervalMs` of the last flush they are batched, up to `fullBatch`, because one commit costs the same for many.
 */
const fullBatch = 128
const flushIntervalMs = 5
const drainTimeoutMs = 10_000

export function createWorker(app: App, options: WorkerOptions & JobRunner): Worker {
  const worker = startWorker(app, options)
  const finishes = createFinishes(worker)
  const runLoop: RunLoop = createRunLoop(app, {
    name: 'The delivery worker',
    iterate: () => runCycle(worker, { ...options, onFinished: () => finishes.note(runLoop.wake) }),
  })
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
        else if (worker.leased.size === 0 && (await isQuiet(worker))) return
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
    unreadable: new Map(),
    rereadAtMs: 0,
    meanQueueLength: initialMeanQueueLength,
    lastReleasedAtMs: 0,
    lastJobWorkspaceId: 0,
    outcomes: [],
    shouldFlush: false,
    inFlight: 0,
    inFlightOf: new Map(),
    phase: 'working',
  }
}

interface Finishes {
  /** Notes that a request has finished, and wakes the worker when its outcome is to be recorded. */
  note(wake: () => void): void
  /** Resolves when nothing is in flight. */
  all(): Promise<void>
}

function createFinishes(worker: WorkerState): Finishes {
  let isScheduled = false
  let flushedAt = 0
  const waiting: (() => void)[] = []
  const flush = (now: number, wake: () => void) => {
    flushedAt = now
    worker.shouldFlush = true
    wake()
  }
  return {
    note(wake) {
      if (worker.inFlight === 0) for (const resolve of waiting.splice(0)) resolve()
      const now = stopwatchMs()
      const wait = flushIntervalMs - (now - flushedAt)
      if (wait <= 0 || worker.outcomes.length >= fullBatch || worker.inFlight === 0) flush(now, wake)
      else if (!isScheduled) {
        isScheduled = true
        after(wait, () => {
          isScheduled = false
          flush(stopwatchMs(), wake)
        })
      }
    },
    all: () => new Promise((resolve) => waiting.push(resolve)),
  }
}

/** Aborts requests that do not finish in time. Their outcomes are not recorded, so they are sent again. */
async function drain(worker: WorkerState, finishes: Finishes, withinMs: number): Promise<void> {
  worker.phase = 'stopping'
  const cancelTimer = after(withinMs, () => {
    worker.phase = 'aborted'
    void worker.sender.close()
  })
  if (worker.inFlight > 0) await finishes.all()
  cancelTimer()
}

async function isQuiet(worker: WorkerState): Promise<boolean> {
  const { arrived, due, jobs } = await peekPendingWork(worker.app)
  return !arrived && !jobs && !(due && (await canLease(worker)))
}

/** The longest wait between two polls. A shared database may lose notifications. */
const maxSleepMs = 5000
const maxSleepWhileSendingMs = 1000

/** One iteration: record outcomes, lease due queues, fill free slots, run one step of the long jobs. */
async function runCycle(worker: WorkerState, { runJobStep, onFinished }: CycleOptions): Promise<Iteration> {
  const { app } = worker
  await worker.saveScheduleOffset()
  releaseExcess(worker)
  const saved = await flushOutcomes(worker)
  if (worker.phase !== 'working') return { didWork: saved }
  const { arrived, due, jobs, nextAt } = await peekPendingWork(app)
  const leased = (arrived || due) && (await acquireLeases(worker))
  const refreshed = await refreshLeases(worker)
  await prefetch(worker, onFinished)
  const steppedIn = jobs ? await runJobStep(app, worker.lastJobWorkspaceId) : undefined
  if (steppedIn !== undefined) worker.lastJobWorkspaceId = steppedIn
  // An iteration that did work is followed by another, which releases queues that turned out to be empty.
  return { didWork: saved || leased || refreshed || steppedIn !== undefined, nextRunInMs: msToNextRun(worker, nextAt) }
}

function msToNextRun({ app, leased }: WorkerState, nextAt: Micros | undefined): number {
  const longest = leased.size > 0 ? maxSleepWhileSendingMs : maxSleepMs
  return nextAt === undefined ? longest : Math.min(longest, (nextAt - app.clock.scheduleNow()) / 1000)
}
