import type { App, TxApp } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { markDue } from '../leases/queue-queries.ts'
import { wakeQueue } from '../leases/queues.ts'
import { maxBodyBytes } from '../outbox/event-queries.ts'
import * as queries from './job-queries.ts'

/** Sends one delivery again, whatever its state. */
export async function resend(
  app: TxApp,
  { workspaceId, id, subscriptionId }: RowRef & { readonly subscriptionId: number },
): Promise<void> {
  await queries.setPending(app.db, { workspaceId, id }, app.clock.scheduleNow())
  await wakeQueue(app, { workspaceId, id: subscriptionId })
}

/** Queues the deliveries that failed or are held since a given time again; returns the id of the job that does it. */
export async function recover(app: TxApp, scope: queries.RedeliveryScope): Promise<number> {
  return startJob(app, 'recover', scope)
}

/** Delivers events since a given time that the subscription never received; returns the id of the job that does it. */
export async function replay(app: TxApp, scope: queries.RedeliveryScope): Promise<number> {
  return startJob(app, 'replay', scope)
}

async function startJob(app: TxApp, kind: 'recover' | 'replay', scope: queries.RedeliveryScope): Promise<number> {
  const lastId = await queries.lastIdFor(app.db, kind, scope)
  const { id } = await queries.insertJob(app.db, { kind, ...scope, lastId, now: app.clock.now() })
  app.store.afterCommit(app.wakeSignal.notify)
  return id
}

export const countRecoverable = ({ db }: Pick<TxApp, 'db'>, scope: queries.RedeliveryScope): Promise<number> =>
  queries.countRecoverable(db, scope)

export const countReplayable = ({ db }: Pick<TxApp, 'db'>, scope: queries.RedeliveryScope): Promise<number> =>
  queries.countReplayable(db, scope, maxBodyBytes)

// Bulk work runs in steps of a few hundred deliveries, each committed with its progress. So there is no upper limit,
// other work is never blocked for long, and after a crash the job continues after its last step.

const stepSize = 500

/** The result of a step: how many ids it read, the last of them, and how many deliveries it changed or created. */
interface Step {
  readonly read: number
  readonly cursor: number
  readonly done: number
}

/** With several workers, each finds a job that no other has locked. */
const maxFoundJobs = 16

/** Runs a step of the oldest job that no other worker has locked. Returns whether there was one. */
export async function runJobStep(app: App): Promise<boolean> {
  for (const job of await queries.findRunning(app.db, maxFoundJobs)) if (await runStepOf(app, job)) return true
  return false
}

function runStepOf(app: App, running: RowRef): Promise<boolean> {
  return inTransaction(app, async (app) => {
    const job = await queries.lockJob(app.store, running)
    if (job === undefined) return false
    app.store.noteWorkspaces([job.workspace_id])
    const now = app.clock.now()
    const step = (await isObsolete(app, job)) ? { read: 0, cursor: job.cursor, done: 0 } : await processBatch(app, job)
    const finished = step.read < stepSize
    await queries.saveJob(app.db, job, { ...step, finishedAt: finished ? now : null })
    if (step.done > 0 && job.kind !== 'hold') await markDue(app.store, [queries.queueOf(job)], app.clock.scheduleNow())
    return true
  })
}

/** Whether the job has nothing to do: the subscription was enabled or disabled in the meantime. */
async function isObsolete({ db }: App, job: queries.JobRow): Promise<boolean> {
  const disabled = await queries.isQueueDisabled(db, queries.queueOf(job))
  return disabled !== (job.kind === 'hold')
}

async function processBatch({ store, db, clock }: App, job: queries.JobRow): Promise<Step> {
  if (job.kind === 'hold') {
    const done = await queries.holdPending(store, queries.queueOf(job), stepSize)
    return { read: done, cursor: 0, done }
  }
  const dueAt = clock.scheduleNow()
  const ids = await queries.nextIds(db, job, stepSize)
  const done =
    job.kind === 'replay'
      ? await queries.addMissing(store, { job, ids, now: clock.now(), dueAt, maxBytes: maxBodyBytes })
      : await queries.requeueDeliveries(store, ids, { workspaceId: job.workspace_id, since: job.since, dueAt })
  return { read: ids.length, cursor: ids.at(-1) ?? job.cursor, done }
}

export const postpone = (app: App, { workspaceId, id }: RowRef, by: Micros) =>
  inTransaction(app, ({ db }) =>
    db
      .updateTable('deliveries')
      .set({ next_attempt_at: app.clock.scheduleNow() + by })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .execute(),
  )
