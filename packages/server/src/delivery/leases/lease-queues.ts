import { type Micros, microsPerSecond } from '../../core/clock.ts'
import { describeFault } from '../../core/log.ts'
import type { Iteration } from '../../runtime/run-loop.ts'
import { inQuickTransaction } from '../../store/transaction.ts'
import { dispatchReady } from '../dispatch/dispatch.ts'
import { type DueRow, findDue, readBody, readTargets } from '../dispatch/due-queries.ts'
import type { QueueRef } from '../table.ts'
import { hydrateQueue } from './hydrate-queue.ts'
import {
  addFetched,
  applySettings,
  beginFetch,
  concurrencyLimit,
  disable,
  discardPrefetched,
  expectMore,
  extendLease,
  handOver,
  type LeasedQueue,
  prefetchCapacity,
} from './leased-queue.ts'
import {
  claimQueues,
  extendLeases,
  findChangedQueues,
  type Lease,
  markDue,
  releaseQueue,
  renewLeasesAndReadNotices,
  takeUnroutedEvents,
} from './queue-queries.ts'
import { maxBodyBytesInMemory, maxInFlight, maxLeasedQueues, type WorkerState } from './worker-state.ts'

const mostArrivals = 1000
const retryBrokenAfter = 60 * microsPerSecond
/** A secret that was replaced stops signing when its time is over, without any notification. */
const readAgainAfterMs = 15_000

/** Notes what has arrived and leases queues that are due; says whether there was anything. */
export async function acquireLeases(worker: WorkerState): Promise<boolean> {
  const lease = leaseOf(worker)
  const { places, dueBy } = leaseQuota(worker, lease.now)
  const { events, claimed } = await inQuickTransaction(worker.app, async ({ store }) => {
    const arrivals = await takeUnroutedEvents(store, mostArrivals)
    const others = arrivals.queues.filter((queue) => !noteArrival(worker, queue))
    if (others.length > 0) await markDue(store, others, lease.now)
    return { events: arrivals.events, claimed: places > 0 ? await claimQueues(store, { ...lease, dueBy }, places) : [] }
  })
  await open(worker, claimed, lease)
  return events > 0 || claimed.length > 0
}

/** A queue that this worker has leased need not be told through the database. */
function noteArrival({ leased }: WorkerState, { subscriptionId }: QueueRef): boolean {
  const queue = leased.get(subscriptionId)
  if (queue !== undefined) expectMore(queue)
  return queue !== undefined
}

/** Reads what others have left word of, and keeps leases from running out. Settings are read anew with it. */
export async function refreshLeases(worker: WorkerState): Promise<boolean> {
  if (worker.leased.size === 0) return false
  const lease = leaseOf(worker)
  const news = await findChangedQueues(worker.app.store, lease)
  const nowMs = worker.app.clock.elapsedMs()
  const aging = [...worker.leased.values()].filter(
    ({ leaseEndsMs, readAtMs }) => leaseEndsMs < nowMs + worker.leaseMs / 2 || readAtMs < nowMs - readAgainAfterMs,
  )
  const asked = new Map([...news, ...aging].map((queue) => [queue.subscriptionId, queue]))
  if (asked.size === 0) return false
  const renewed = await inQuickTransaction(worker.app, ({ store }) =>
    renewLeasesAndReadNotices(store, lease, [...asked.values()]),
  )
  await open(worker, renewed, lease)
  for (const { subscriptionId } of renewed) asked.delete(subscriptionId)
  for (const lost of asked.keys()) giveUp(worker, lost)
  return true
}

/** Somebody else has the queue: this worker was away for longer than its lease. */
function giveUp({ leased, app }: WorkerState, subscriptionId: number): void {
  const queue = leased.get(subscriptionId)
  if (queue !== undefined) stopSending(queue, app.clock.now())
}

export async function prefetch(worker: WorkerState): Promise<void> {
  const nowMs = worker.app.clock.elapsedMs()
  const mayHaveMore = (queue: LeasedQueue) => queue.mayHaveMore || queue.nextFetchAtMs <= nowMs
  const hungry = [...worker.leased.values()].filter(
    (queue) => queue.state.kind === 'sending' && mayHaveMore(queue) && prefetchCapacity(queue) > 0,
  )
  await Promise.all(hungry.map((queue) => fetchDueDeliveries(worker, queue)))
  for (const queue of worker.leased.values()) dispatchReady(worker, queue)
}

async function fetchDueDeliveries(worker: WorkerState, queue: LeasedQueue): Promise<void> {
  const { app } = worker
  const limit = prefetchCapacity(queue)
  const now = app.clock.scheduleNow()
  beginFetch(queue, app.clock.elapsedMs())
  const {
    workspaceId,
    subscriptionId,
    settings: { fifo },
    known,
  } = queue
  const found = await findDue(app.store, { workspaceId, subscriptionId, now, limit, fifo, except: [...known] })
  worker.meanQueueLength = Math.max(1, (worker.meanQueueLength + found.length) / 2)
  if (found.length === limit) expectMore(queue)
  for (const row of found) {
    // The worker has as many bodies in its memory as it may.
    if (!isRoomFor(queue, row)) return expectMore(queue)
    const event = { workspaceId, id: row.event_id }
    await addFetched(queue, row, async () => ({ ...row, body: row.body ?? (await readBody(app.db, event)) }))
  }
}

/**
 * Large bodies are fetched when they can go at once, and may take half of the room: receivers that do not answer must not
 * fill all of it, or the others would get nothing.
 */
function isRoomFor(queue: LeasedQueue, { size, body }: DueRow): boolean {
  const { bytes } = queue.bodies
  if (bytes === 0) return true
  if (body !== null) return bytes + size <= maxBodyBytesInMemory
  return queue.inFlight + queue.ready.length < concurrencyLimit(queue) && bytes + size <= maxBodyBytesInMemory / 2
}

async function open(
  worker: WorkerState,
  queues: readonly QueueRef[],
  { endsMs: leaseEndsMs }: OwnLease,
): Promise<void> {
  if (queues.length === 0) return
  const rows = await readTargets(worker.app.store, queues)
  for (const row of rows) {
    const known = worker.leased.get(row.subscription_id)
    if (row.disabled_at !== null) {
      if (known !== undefined) stopSending(known, row.disabled_at)
      continue
    }
    try {
      const fresh = hydrateQueue(worker.app, row, { leaseEndsMs, bodies: worker.bodies })
      if (known === undefined) worker.leased.set(row.subscription_id, fresh)
      else applySettings(known, fresh, { isWritten: !worker.outcomes.some(({ queue }) => queue === known) })
    } catch (fault) {
      await backOffBrokenQueue(worker, { workspaceId: row.workspace_id, subscriptionId: row.subscription_id }, fault)
    }
  }
  for (const queue of queues) noteArrival(worker, queue)
}

/** What is under way is finished, and then the queue is let go. */
function stopSending(queue: LeasedQueue, at: Micros): void {
  disable(queue, { at, reason: '', isNew: false })
  discardPrefetched(queue)
}

/** A secret that cannot be read stops its own subscription only, and is tried again in a while. */
async function backOffBrokenQueue(
  { app, token, leased }: WorkerState,
  { workspaceId, subscriptionId }: QueueRef,
  fault: unknown,
): Promise<void> {
  const queue = leased.get(subscriptionId)
  if (queue !== undefined) discardPrefetched(queue)
  else {
    const dueAt = app.clock.scheduleNow() + retryBrokenAfter
    await releaseQueue(app, { workspaceId, subscriptionId, token, dueAt })
  }
  app.log.error(`Nothing can be sent to subscription ${subscriptionId}.`, {
    subscription_id: subscriptionId,
    ...describeFault(fault),
  })
}

// Workers on one database share its queues without messages between them: each leases only as many as should fill its
// free places, leaves the rest to the others for a moment, and gives back what it has too much of.

/** What a queue is thought to have before one was looked into. */
export const initialMeanQueueLength = 32
/** How long a full worker leaves a due queue to those who have places. */
const patience = microsPerSecond / 2
const overPatience = 4
const releaseAtMostEveryMs = 250

interface LeaseQuota {
  readonly places: number
  readonly dueBy: Micros
}

function leaseQuota(worker: WorkerState, now: Micros): LeaseQuota {
  const left = maxLeasedQueues - worker.leased.size
  if (!isShared(worker)) return { places: worker.inFlight < maxInFlight ? left : 0, dueBy: now }
  const free = maxInFlight - demandOn(worker)
  if (free <= 0) return { places: Math.min(left, overPatience), dueBy: now - patience }
  return { places: Math.min(left, Math.ceil(free / worker.meanQueueLength)), dueBy: now }
}

/** Where there is clearly more to send than there are places, releases the queue with the fewest deliveries in flight. */
export function releaseExcess(worker: WorkerState): void {
  const now = worker.app.clock.elapsedMs()
  if (!isShared(worker) || worker.inFlight < maxInFlight || now - worker.lastReleasedAtMs < releaseAtMostEveryMs) return
  const [least] = [...worker.leased.values()]
    .filter(({ state }) => state.kind !== 'handing-over')
    .sort((one, other) => one.inFlight - other.inFlight)
  if (least === undefined || demandOn(worker) - demandOf(least) < maxInFlight) return
  worker.lastReleasedAtMs = now
  handOver(least)
}

/** Whether other processes may be at the same database. */
export const isShared = ({ app }: Pick<WorkerState, 'app'>) => app.store.signals !== undefined

/** The places that a queue would take if it got all it may have. */
const demandOf = (queue: LeasedQueue): number => Math.min(concurrencyLimit(queue), queue.inFlight + queue.ready.length)

const demandOn = ({ leased }: WorkerState): number =>
  [...leased.values()].reduce((sum, queue) => sum + demandOf(queue), 0)

// Where processes share a database, a lease is short and is renewed by a heartbeat: the queues of a process that has died
// are taken over in some seconds, and one that was stopped for longer sends nothing, because before each request it looks
// at how much time has passed for itself. Nobody shares SQLite, so there a lease hardly matters and is hardly renewed.

const sharedLeaseMs = 4000
const ownLeaseMs = 30_000

export const usualLeaseMs = (worker: Pick<WorkerState, 'app'>): number =>
  isShared(worker) ? sharedLeaseMs : ownLeaseMs

/** A lease as the database knows it, and when its holder takes it to be over. */
interface OwnLease extends Lease {
  /** As the clock measures. An eighth earlier, for what writing it down may take. */
  readonly endsMs: number
}

/** Both ends are counted from before it is written. */
function leaseOf({ app: { clock }, token, leaseMs }: WorkerState): OwnLease {
  const now = clock.scheduleNow()
  return { token, now, until: now + leaseMs * 1000, endsMs: clock.elapsedMs() + (leaseMs * 7) / 8 }
}

/** Renews all leases at once, beside the rounds of the worker: a round that takes long must not cost it its queues. */
export async function renewLeases(worker: WorkerState, wake: () => void): Promise<Iteration> {
  const nextRunInMs = worker.leaseMs / 4
  const queues = [...worker.leased.values()]
  if (queues.length === 0) return { didWork: false, nextRunInMs }
  const lease = leaseOf(worker)
  const extended = await inQuickTransaction(worker.app, ({ store }) => extendLeases(store, lease, queues)).catch(
    // The database is away: the worker's own rounds say so, and send nothing as soon as the leases have ended.
    (): QueueRef[] => [],
  )
  let wasOver = false
  for (const { subscriptionId } of extended) {
    const queue = worker.leased.get(subscriptionId)
    if (queue === undefined) continue
    wasOver ||= queue.leaseEndsMs <= worker.app.clock.elapsedMs()
    extendLease(queue, lease.endsMs)
  }
  if (wasOver) wake()
  return { didWork: false, nextRunInMs }
}
