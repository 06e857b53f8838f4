import { type Micros, microsPerSecond } from '../clock.ts'
import type { App } from '../context.ts'
import { describeFault } from '../log.ts'
import { inQuickTransaction } from '../store/transaction.ts'
import { type DueRow, findDue, readBody } from './due-queries.ts'
import { sendReady } from './flight.ts'
import { dropReady, type HeldQueue, limitOf, roomIn } from './held-queue.ts'
import { openQueue, refreshQueue } from './open-queue.ts'
import { claimQueues, findNews, type Lease, markDue, releaseQueue, renewLeases, takeArrivals } from './queue-queries.ts'
import { leaseable } from './sharing.ts'
import { mostBodyBytes, type Shift } from './shift.ts'
import { readTargets } from './target-queries.ts'

const mostArrivals = 1000
const retryBrokenAfter = 60 * microsPerSecond
const lookAgainAfter = microsPerSecond

/** Notes what has arrived and leases queues that are due; says whether there was anything. */
export async function takeUp(shift: Shift): Promise<boolean> {
  const lease = leaseOf(shift)
  const { places, dueBy } = leaseable(shift, lease.now)
  const { events, claimed } = await inQuickTransaction(shift.app, async ({ store }) => {
    const arrivals = await takeArrivals(store, mostArrivals)
    const others = arrivals.queues.filter((id) => !seeMore(shift, id))
    if (others.length > 0) await markDue(store, others, lease.now)
    return { events: arrivals.events, claimed: places > 0 ? await claimQueues(store, { ...lease, dueBy }, places) : [] }
  })
  await open(shift, claimed, lease.until)
  return events > 0 || claimed.length > 0
}

/** A queue in our own hands need not be told through the database. */
function seeMore({ held }: Shift, subscriptionId: number): boolean {
  const queue = held.get(subscriptionId)
  if (queue !== undefined) queue.more = true
  return queue !== undefined
}

/** Reads what others have left word of, and keeps leases from running out. Settings are read anew with it. */
export async function keepUp(shift: Shift): Promise<boolean> {
  if (shift.held.size === 0) return false
  const lease = leaseOf(shift)
  const news = await findNews(shift.app.store, lease)
  const halfGone = lease.now + (lease.until - lease.now) / 2
  const aging = [...shift.held.values()].filter(({ leaseUntil }) => leaseUntil < halfGone)
  const ids = [...new Set([...news, ...aging.map(({ subscriptionId }) => subscriptionId)])]
  if (ids.length === 0) return false
  const renewed = await inQuickTransaction(shift.app, ({ store }) => renewLeases(store, lease, ids))
  await open(shift, renewed, lease.until)
  for (const id of ids) if (!renewed.includes(id)) giveUp(shift, id)
  return true
}

/** Somebody else has the queue: this worker was away for longer than its lease. */
function giveUp({ held, app }: Shift, subscriptionId: number): void {
  const queue = held.get(subscriptionId)
  if (queue !== undefined) stopSending(queue, app.clock.now())
}

/** Fetches deliveries for the queues that have room, and sends what may go. */
export async function fill(shift: Shift): Promise<void> {
  const now = shift.app.clock.now()
  const mayHaveMore = (queue: HeldQueue) => queue.more || queue.lookAgainAt <= now
  const hungry = [...shift.held.values()].filter(
    (queue) => queue.disabled === undefined && mayHaveMore(queue) && roomIn(queue) > 0,
  )
  await Promise.all(hungry.map((queue) => fetch(shift, queue)))
  for (const queue of shift.held.values()) sendReady(shift, queue)
}

async function fetch(shift: Shift, queue: HeldQueue): Promise<void> {
  const { app } = shift
  const limit = roomIn(queue)
  const now = app.clock.now()
  queue.more = false
  queue.lookAgainAt = now + lookAgainAfter
  const { subscriptionId, fifo, known } = queue
  const found = await findDue(app.store, { subscriptionId, now, limit, fifo, except: [...known] })
  shift.perQueue = Math.max(1, (shift.perQueue + found.length) / 2)
  queue.more ||= found.length === limit
  for (const row of found) {
    if (await take(app, queue, row)) continue
    queue.more = true
    return
  }
}

/** Takes a delivery with its body, unless the worker has as much in its memory as it may. */
async function take({ db }: App, queue: HeldQueue, row: DueRow): Promise<boolean> {
  const { bodies } = queue
  if (!isRoomFor(queue, row)) return false
  bodies.bytes += row.size
  queue.known.add(row.id)
  queue.ready.push({ ...row, body: row.body ?? (await readBody(db, row.event_id)) })
  return true
}

/**
 * Large bodies are fetched when they can go at once, and may take half of the room: receivers that do not answer must not
 * fill all of it, or nobody else would get anything.
 */
function isRoomFor(queue: HeldQueue, { size, body }: DueRow): boolean {
  const { bytes } = queue.bodies
  if (bytes === 0) return true
  if (body !== null) return bytes + size <= mostBodyBytes
  return queue.inFlight + queue.ready.length < limitOf(queue) && bytes + size <= mostBodyBytes / 2
}

function leaseOf({ app, token, leaseMs }: Shift): Lease {
  const now = app.clock.now()
  return { token, now, until: now + leaseMs * 1000 }
}

async function open(shift: Shift, ids: readonly number[], leaseUntil: Micros): Promise<void> {
  if (ids.length === 0) return
  const rows = await readTargets(shift.app.store, ids)
  for (const row of rows) {
    const known = shift.held.get(row.subscription_id)
    if (row.disabled_at !== null) {
      if (known !== undefined) stopSending(known, row.disabled_at)
      continue
    }
    try {
      const fresh = openQueue(shift.app, row, { now: shift.app.clock.now(), leaseUntil, bodies: shift.bodies })
      if (known === undefined) shift.held.set(row.subscription_id, fresh)
      else refreshQueue(known, fresh, { isWritten: !shift.finished.some(({ queue }) => queue === known) })
    } catch (fault) {
      await leaveAlone(shift, row.subscription_id, fault)
    }
  }
  for (const id of ids) seeMore(shift, id)
}

/** What is under way is finished, and then the queue is let go. */
function stopSending(queue: HeldQueue, at: Micros): void {
  queue.disabled ??= { at, reason: '', isNew: false }
  dropReady(queue)
}

/** A secret that cannot be read stops its own subscription only, and is tried again in a while. */
async function leaveAlone({ app, token, held }: Shift, subscriptionId: number, fault: unknown): Promise<void> {
  const queue = held.get(subscriptionId)
  if (queue !== undefined) dropReady(queue)
  else await releaseQueue(app, { subscriptionId, token, dueAt: app.clock.now() + retryBrokenAfter })
  app.log.error(`Nothing can be sent to subscription ${subscriptionId}.`, {
    subscription_id: subscriptionId,
    ...describeFault(fault),
  })
}
