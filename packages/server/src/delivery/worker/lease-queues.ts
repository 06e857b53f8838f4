import type { App } from '../../context.ts'
import { type Micros, microsPerSecond } from '../../core/clock.ts'
import { describeFault } from '../../core/log.ts'
import { inQuickTransaction } from '../../store/transaction.ts'
import { type DueRow, findDue, findTargets, readBody, type TargetRow } from '../queues/due-queries.ts'
import { hydrateQueue } from '../queues/hydrate-queue.ts'
import {
  addFetched,
  applySettings,
  beginFetch,
  concurrencyLimit,
  disable,
  discardPrefetched,
  expectMore,
  handOver,
  type LeasedQueue,
  prefetchCapacity,
} from '../queues/leased-queue.ts'
import {
  claimQueues,
  findChangedQueues,
  findClaimable,
  markDue,
  releaseQueue,
  renewLeasesAndReadNotices,
  takeUnroutedEvents,
} from '../queues/queue-queries.ts'
import type { QueueRef } from '../table.ts'
import { dispatchReady } from './dispatch.ts'
import { createLease, isShared, type OwnLease } from './renew-leases.ts'
import { maxBodyBytesInMemory, maxInFlight, maxLeasedQueues, maxReserved, type WorkerState } from './worker-state.ts'

const maxEvents = 1000
const brokenQueueDelay = 60 * microsPerSecond
const rereadIntervalMs = 1000
/** Re-read settings this often: a rotated secret stops signing when its overlap ends, without a notification. */
const settingsMaxAgeMs = 15_000

/** Assigns new events and leases due queues; returns whether there were any. */
export async function acquireLeases(worker: WorkerState): Promise<boolean> {
  if (isShared(worker)) await rereadUnreadable(worker)
  const lease = createLease(worker)
  const quota = leaseQuota(worker, lease.now)
  const events = await routeEvents(worker, lease.now)
  const claimed = await claimQuota(worker, lease, quota)
  const reserved = await claimQuota(worker, lease, reservedQuota(worker, lease.now))
  return claimed || reserved || events > 0
}

async function claimQuota(worker: WorkerState, lease: OwnLease, { slots, ...quota }: LeaseQuota): Promise<boolean> {
  if (slots <= 0) return false
  const claim = { ...lease, ...quota, exceptQueues: leftToOthers(worker) }
  const found = await findClaimable(worker.app.store, claim, slots)
  if (found.length === 0) return false
  const claimed = await inQuickTransaction(worker.app, ({ store }) => claimQueues(store, claim, found))
  await loadQueues(worker, claimed, lease)
  return true
}

/** Whether a queue is due that this worker does not leave to others. */
export async function canLease(worker: WorkerState): Promise<boolean> {
  const lease = createLease(worker)
  const claim = { ...lease, dueBy: lease.now, exceptQueues: leftToOthers(worker) }
  return (await findClaimable(worker.app.store, claim, 1)).length > 0
}

/** On a shared database, another worker may have the key of a queue. Without others, such a queue is due later instead. */
const leftToOthers = (worker: WorkerState): number[] => (isShared(worker) ? [...worker.unreadable.keys()] : [])

/** Without a lease, so that others can send meanwhile. */
async function rereadUnreadable(worker: WorkerState): Promise<void> {
  const { app, bodies, unreadable } = worker
  const nowMs = app.clock.elapsedMs()
  if (unreadable.size === 0 || nowMs < worker.rereadAtMs) return
  worker.rereadAtMs = nowMs + rereadIntervalMs
  const rows = await findTargets(app.store, [...unreadable.values()])
  const isReadable = (row: TargetRow) => {
    try {
      hydrateQueue(app, row, { leaseEndsMs: nowMs, bodies })
      return true
    } catch {
      return false
    }
  }
  const still = new Set(rows.filter((row) => !isReadable(row)).map(({ subscription_id }) => subscription_id))
  for (const id of unreadable.keys()) if (!still.has(id)) unreadable.delete(id)
}

/** Marks the queues of new events due. In a separate transaction from the claim, so that two workers never wait for each other. */
const routeEvents = (worker: WorkerState, now: Micros): Promise<number> =>
  inQuickTransaction(worker.app, async ({ store }) => {
    const { events, queues } = await takeUnroutedEvents(store, maxEvents)
    for (const { subscriptionId, firstEventId } of queues)
      discardIfLater(worker.leased.get(subscriptionId), firstEventId)
    const notLeased = queues.filter((queue) => !expectMoreIfLeased(worker, queue))
    if (notLeased.length > 0) await markDue(store, notLeased, now)
    return events
  })

/** Of two concurrent changes, the one with the later event may commit first. */
function discardIfLater(queue: LeasedQueue | undefined, firstEventId: number): void {
  if (queue?.settings.fifo && firstEventId < (queue.ready.at(-1)?.event_id ?? 0)) discardPrefetched(queue)
}

/**
 * A queue leased by this worker is notified in memory rather than through the database. If its lease has expired, another
 * worker may have taken over and released it, so the database needs to know.
 */
function expectMoreIfLeased({ leased, app }: WorkerState, { subscriptionId }: QueueRef): boolean {
  const queue = leased.get(subscriptionId)
  if (queue === undefined) return false
  expectMore(queue)
  return queue.leaseEndsMs > app.clock.elapsedMs()
}

/** Reads notices from other processes and renews expiring leases. Re-reads the settings of those queues. */
export async function refreshLeases(worker: WorkerState): Promise<boolean> {
  if (worker.leased.size === 0) return false
  const lease = createLease(worker)
  const notified = await findChangedQueues(worker.app.store, lease)
  const nowMs = worker.app.clock.elapsedMs()
  // A queue that is disabled or lost only waits for its responses.
  const aging = [...worker.leased.values()].filter(
    ({ state, leaseEndsMs, readAtMs }) =>
      state.kind !== 'disabled' && (leaseEndsMs < nowMs + worker.leaseMs / 2 || readAtMs < nowMs - settingsMaxAgeMs),
  )
  const expected = new Map([...notified, ...aging].map((queue) => [queue.subscriptionId, queue]))
  if (expected.size === 0) return false
  const renewed = await inQuickTransaction(worker.app, ({ store }) =>
    renewLeasesAndReadNotices(store, lease, [...expected.values()]),
  )
  await loadQueues(worker, renewed, lease)
  for (const { subscriptionId } of renewed) expected.delete(subscriptionId)
  for (const lost of expected.keys()) loseLease(worker, lost)
  return true
}

/** Another worker has the queue: this one paused for longer than its lease. */
function loseLease({ leased, app }: WorkerState, subscriptionId: number): void {
  const queue = leased.get(subscriptionId)
  if (queue !== undefined) stopSending(queue, app.clock.now())
}

export async function prefetch(worker: WorkerState, onFinished: () => void): Promise<void> {
  const nowMs = worker.app.clock.elapsedMs()
  const mayHaveMore = (queue: LeasedQueue) => queue.mayHaveMore || queue.nextFetchAtMs <= nowMs
  const fetchable = [...worker.leased.values()].filter(
    (queue) => queue.state.kind === 'sending' && mayHaveMore(queue) && prefetchCapacity(queue) > 0,
  )
  await Promise.all(fetchable.map((queue) => fetchDueDeliveries(worker, queue)))
  for (const queue of worker.leased.values()) dispatchReady(worker, queue, onFinished)
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
  const found = await findDue(app.store, { workspaceId, subscriptionId, now, limit, fifo, excludedIds: [...known] })
  worker.meanQueueLength = Math.max(1, (worker.meanQueueLength + found.length) / 2)
  if (found.length === limit) expectMore(queue)
  for (const row of found) {
    // The memory limit for bodies is reached.
    if (!isRoomFor(queue, row)) return expectMore(queue)
    const event = { workspaceId, id: row.event_id }
    await addFetched(queue, row, async () => ({ ...row, body: row.body ?? (await readBody(app.db, event)) }))
  }
}

/**
 * A large body is fetched only when it can be sent at once, and large bodies may use half of the memory limit:
 * unresponsive receivers must not fill all of it and starve the others.
 */
function isRoomFor(queue: LeasedQueue, { size, body }: DueRow): boolean {
  const { bytes } = queue.bodies
  if (bytes === 0) return true
  if (body !== null) return bytes + size <= maxBodyBytesInMemory
  return queue.inFlight + queue.ready.length < concurrencyLimit(queue) && bytes + size <= maxBodyBytesInMemory / 2
}

async function loadQueues(
  worker: WorkerState,
  queues: readonly QueueRef[],
  { endsMs: leaseEndsMs }: OwnLease,
): Promise<void> {
  if (queues.length === 0) return
  const rows = await findTargets(worker.app.store, queues)
  for (const row of rows) {
    const held = worker.leased.get(row.subscription_id)
    if (row.disabled_at !== null) {
      if (held !== undefined) stopSending(held, row.disabled_at)
      continue
    }
    try {
      const loaded = hydrateQueue(worker.app, row, { leaseEndsMs, bodies: worker.bodies })
      worker.unreadable.delete(row.subscription_id)
      if (held !== undefined) await discardIfOutOfOrder(worker.app, held)
      if (held === undefined) worker.leased.set(row.subscription_id, loaded)
      else applySettings(held, loaded, { isWritten: !worker.outcomes.some(({ queue }) => queue === held) })
    } catch (fault) {
      await backOffBrokenQueue(worker, { workspaceId: row.workspace_id, subscriptionId: row.subscription_id }, fault)
    }
  }
  for (const queue of queues) expectMoreIfLeased(worker, queue)
}

/** A resent, recovered, or replayed delivery of an ordered queue is sent before prefetched ones of later events. */
async function discardIfOutOfOrder({ store, clock }: App, queue: LeasedQueue): Promise<void> {
  const [next] = queue.ready
  if (!queue.settings.fifo || next === undefined) return
  const { workspaceId, subscriptionId, known, ready } = queue
  const isReady = new Set(ready.map(({ id }) => id))
  const [first] = await findDue(store, {
    ...{ workspaceId, subscriptionId, now: clock.scheduleNow(), limit: 1, fifo: true },
    excludedIds: [...known].filter((id) => !isReady.has(id)),
  })
  if (first?.id !== next.id) discardPrefetched(queue)
}

/** In-flight deliveries finish, then the lease is released. */
function stopSending(queue: LeasedQueue, at: Micros): void {
  disable(queue, { at, reason: '', isNew: false })
  discardPrefetched(queue)
}

/**
 * An unreadable secret stops only its own subscription, which is retried later. On a shared database, another worker may have
 * the key, so it gets the queue at once.
 */
async function backOffBrokenQueue(
  worker: WorkerState,
  { workspaceId, subscriptionId }: QueueRef,
  fault: unknown,
): Promise<void> {
  const { app, token, leased, unreadable } = worker
  const queue = leased.get(subscriptionId)
  const isKnown = unreadable.has(subscriptionId)
  unreadable.set(subscriptionId, { workspaceId, subscriptionId })
  if (queue?.state.kind === 'sending') handOver(queue)
  else if (queue === undefined) {
    const dueAt = app.clock.scheduleNow() + (isShared(worker) ? 0 : brokenQueueDelay)
    await releaseQueue(app, { workspaceId, subscriptionId, token, dueAt })
    if (isShared(worker)) app.wakeSignal.notify()
    // The subscription may have been repaired during the lease.
    worker.rereadAtMs = 0
  }
  if (isKnown) return
  app.log.error(`Cannot read the secrets of subscription ${subscriptionId}; its deliveries wait.`, {
    subscription_id: subscriptionId,
    ...describeFault(fault),
  })
}

// Workers on a shared database split its queues without messaging each other: each leases only as many as fill its free
// slots, leaves the rest to the others for a moment, and releases its excess.

/** The assumed queue length before any queue was read. */
export const initialMeanQueueLength = 32
/** How long a full worker leaves a due queue to workers with free slots. */
const overloadedDelay = microsPerSecond / 2
const maxClaimsWhenFull = 4
const minReleaseIntervalMs = 250

interface LeaseQuota {
  readonly slots: number
  readonly dueBy: Micros
  /** The workspaces whose queues are left out. */
  readonly except?: readonly number[]
}

function leaseQuota(worker: WorkerState, now: Micros): LeaseQuota {
  const remaining = maxLeasedQueues - worker.leased.size
  if (!isShared(worker)) return { slots: worker.inFlight < maxInFlight ? remaining : 0, dueBy: now }
  const free = maxInFlight - demandOn(worker)
  if (free <= 0) return { slots: Math.min(remaining, maxClaimsWhenFull), dueBy: now - overloadedDelay }
  return { slots: Math.min(remaining, Math.ceil(free / worker.meanQueueLength)), dueBy: now }
}

/**
 * A full worker also leases the queues of workspaces that have none here, for the reserved slots. It leaves them to workers
 * with free slots first, too.
 */
function reservedQuota(worker: WorkerState, now: Micros): LeaseQuota {
  const { leased } = worker
  if (leased.size < maxLeasedQueues && demandOn(worker) < maxInFlight) return { slots: 0, dueBy: now }
  const slots = Math.min(maxLeasedQueues + maxReserved - leased.size, maxClaimsWhenFull)
  const except = [...new Set([...leased.values()].map(({ workspaceId }) => workspaceId))]
  return { slots, dueBy: isShared(worker) ? now - overloadedDelay : now, except }
}

/** If deliveries clearly exceed the slots, releases the queue with the fewest deliveries in flight. */
export function releaseExcess(worker: WorkerState): void {
  const now = worker.app.clock.elapsedMs()
  if (!isShared(worker) || worker.inFlight < maxInFlight || now - worker.lastReleasedAtMs < minReleaseIntervalMs) return
  const [idlest] = [...worker.leased.values()]
    .filter(({ state }) => state.kind !== 'handing-over')
    .sort((one, other) => one.inFlight - other.inFlight)
  if (idlest === undefined || demandOn(worker) - demandOf(idlest) < maxInFlight) return
  worker.lastReleasedAtMs = now
  handOver(idlest)
}

/** The slots that a queue would use without competition. */
const demandOf = (queue: LeasedQueue): number => Math.min(concurrencyLimit(queue), queue.inFlight + queue.ready.length)

const demandOn = ({ leased }: WorkerState): number =>
  [...leased.values()].reduce((sum, queue) => sum + demandOf(queue), 0)
