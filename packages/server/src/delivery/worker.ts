import { randomUUID } from 'node:crypto'
import { after } from '../clock.ts'
import type { App } from '../context.ts'
import { describeFault } from '../log.ts'
import { stopwatchMs } from '../real-timers.ts'
import { createWheel, type Wheel } from '../wheel.ts'
import { lookAhead } from './ahead-queries.ts'
import type { Carry } from './carry.ts'
import { createEgress, type Lookup } from './egress.ts'
import type { Receivers } from './receivers.ts'
import { save } from './save.ts'
import { createSender } from './send.ts'
import { firstPerQueue } from './sharing.ts'
import type { Shift } from './shift.ts'
import { turn } from './turn.ts'

/** Sends what is due. */
export interface Worker {
  wake(): void
  /** Sends all that is due by now and resolves when every request is over and recorded. */
  runDue(): Promise<void>
  /** Begins nothing more, lets requests under way finish for a while, and gives the queues back. */
  stop(): Promise<void>
}

export interface WorkerOptions {
  readonly lookup?: Lookup | undefined
  readonly leaseMs?: number | undefined
  readonly receivers?: Receivers | undefined
  readonly carry?: Carry | undefined
}

/** A lease is longer than any request takes, so that a living worker is never taken for a dead one. */
const shortestLeaseMs = 30_000
/**
 * What is over is written down at once: a crash repeats what was not. Only where the last write has just begun it waits,
 * unless there is much of it, because a commit for many costs what one for one does.
 */
const fullBatch = 128
const betweenWritesMs = 5
const longestGoodbyeMs = 10_000

export function createWorker(app: App, options: WorkerOptions = {}): Worker {
  const shift = beginShift(app, options)
  const wheel = createWheel(app, { name: 'The delivery worker', turn: () => turn(shift) })
  const finishes = watchFinishes(shift, wheel)
  return {
    wake: wheel.wake,
    async runDue() {
      while (shift.phase === 'working') {
        wheel.wake()
        await wheel.rest()
        if (shift.inFlight > 0) await finishes.all()
        else if (shift.held.size === 0 && (await isQuiet(app))) return
      }
    },
    async stop() {
      await endShift(shift, finishes)
      wheel.stop()
      await wheel.rest().catch(() => undefined)
      await save(shift).catch((fault: unknown) =>
        app.log.error('The last attempts were not recorded.', describeFault(fault)),
      )
      await shift.sender.close()
    },
  }
}

function beginShift(app: App, { lookup, leaseMs, receivers, carry }: WorkerOptions): Shift {
  const { clock } = app
  const { egressAllow, deliveryTimeoutMs: timeoutMs } = app.config
  return {
    app,
    sender: createSender({ egress: createEgress(egressAllow, lookup), timeoutMs, clock, receivers }),
    carry: carry ?? (({ delivery, dress, at }, send) => send(dress(delivery, at))),
    token: randomUUID(),
    leaseMs: leaseMs ?? Math.max(shortestLeaseMs, 2 * timeoutMs),
    held: new Map(),
    bodies: { bytes: 0 },
    perQueue: firstPerQueue,
    gaveAt: 0,
    finished: [],
    ripe: false,
    inFlight: 0,
    phase: 'working',
    onFinished: () => undefined,
  }
}

interface Finishes {
  /** Resolves when no request is under way. */
  all(): Promise<void>
}

function watchFinishes(shift: Shift, wheel: Wheel): Finishes {
  let gathering = false
  let recordedAt = 0
  const waiting: (() => void)[] = []
  const record = (now: number) => {
    recordedAt = now
    shift.ripe = true
    wheel.wake()
  }
  shift.onFinished = () => {
    if (shift.inFlight === 0) for (const tell of waiting.splice(0)) tell()
    const now = stopwatchMs()
    const wait = betweenWritesMs - (now - recordedAt)
    if (wait <= 0 || shift.finished.length >= fullBatch || shift.inFlight === 0) record(now)
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

/** What does not finish in time is cut off; nobody has recorded it, so somebody sends it again. */
async function endShift(shift: Shift, finishes: Finishes): Promise<void> {
  shift.phase = 'stopping'
  const late = after(longestGoodbyeMs, () => {
    shift.phase = 'aborted'
    void shift.sender.close()
  })
  if (shift.inFlight > 0) await finishes.all()
  late()
}

async function isQuiet({ store, clock }: App): Promise<boolean> {
  const { arrived, due, jobs } = await lookAhead(store, clock.now())
  return !arrived && !due && !jobs
}
