import type { Micros } from '../clock.ts'
import type { App } from '../context.ts'
import { inQuickTransaction } from '../store/transaction.ts'
import { dropReady, type HeldQueue, isDone, toSaved } from './held-queue.ts'
import { insertJob } from './job-queries.ts'
import { lockQueues, nextDueOf, saveQueues } from './queue-queries.ts'
import { recordAttempts } from './record-queries.ts'
import type { Finished, Shift } from './shift.ts'

/** Writes down what has been done since the last time, in one transaction, and lets go of queues that are done. */
export async function save(shift: Shift): Promise<boolean> {
  const now = shift.app.clock.now()
  const done = [...shift.held.values()].filter(
    (queue) => isDone(queue, now) || (shift.phase !== 'working' && queue.inFlight === 0),
  )
  const isTime = shift.ripe || shift.phase !== 'working'
  if (done.length === 0 && (!isTime || shift.finished.length === 0)) return false
  const { finished } = shift
  shift.finished = []
  shift.ripe = false
  // From here on nothing of these may be begun: in a moment somebody else may have them.
  for (const queue of done) dropReady(queue)
  try {
    await write(shift, { finished, done: new Set(done), now })
  } catch (fault) {
    shift.finished = [...finished, ...shift.finished]
    shift.ripe = true
    for (const queue of done) queue.more = true
    throw fault
  }
  forget(shift, finished, done)
  return true
}

interface Written {
  readonly finished: readonly Finished[]
  readonly done: ReadonlySet<HeldQueue>
  readonly now: Micros
}

function write({ app, token }: Shift, { finished, done, now }: Written): Promise<void> {
  const queues = [...new Set([...finished.map(({ queue }) => queue), ...done])]
  // Whatever a power cut undoes of this is sent once more, so nobody waits for the disk.
  return inQuickTransaction(app, async ({ store, db }) => {
    await lockQueues(store, idsOf(queues))
    await recordAttempts(
      store,
      finished.map(({ attempt }) => attempt),
    )
    const dueAt = done.size === 0 ? new Map<number, Micros>() : await nextDueOf(store, idsOf([...done]))
    const rows = queues.map((queue) =>
      toSaved(queue, done.has(queue) ? { dueAt: dueAt.get(queue.subscriptionId), now } : undefined),
    )
    await saveQueues(store, token, rows)
    for (const queue of done) {
      if (queue.disabled?.isNew === true) await insertJob(db, { kind: 'hold', since: 0, lastId: 0, ...queue, now })
    }
  })
}

function forget({ app, held }: Shift, finished: readonly Finished[], done: readonly HeldQueue[]): void {
  for (const { queue, attempt } of finished) queue.known.delete(attempt.delivery_id)
  for (const queue of done) {
    held.delete(queue.subscriptionId)
    if (queue.disabled?.isNew === true) noteDisabled(app, queue)
    if (queue.isLeaving) app.bell.ring()
  }
}

function noteDisabled(app: App, { subscriptionId, workspaceId, disabled }: HeldQueue): void {
  app.log.warn(`Subscription ${subscriptionId} is disabled (${disabled?.reason}); its deliveries are held.`, {
    subscription_id: subscriptionId,
    workspace_id: workspaceId,
    reason: disabled?.reason,
  })
}

const idsOf = (queues: readonly HeldQueue[]) => queues.map(({ subscriptionId }) => subscriptionId)
