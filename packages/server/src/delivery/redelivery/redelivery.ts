import type { App, TxApp } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import type { Page } from '../../core/pagination.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { insertJob, markDue } from '../queues/queue-queries.ts'
import { endPause } from '../queues/queues.ts'
import * as queries from './job-queries.ts'

/** Sends one delivery again, whatever its state. */
export async function resend(
  app: TxApp,
  { workspaceId, id, subscriptionId }: RowRef & { readonly subscriptionId: number },
): Promise<void> {
  await queries.sendNow(app.store, { workspaceId, ids: [id], dueAt: app.clock.scheduleNow() })
  await endPause(app, { workspaceId, id: subscriptionId })
}

/** Sends retrying, failed, and held deliveries since a given time now; returns the id of the job that does it. */
export async function recover(app: TxApp, scope: queries.RedeliveryScope): Promise<number> {
  return startJob(app, 'recover', scope)
}

/** Delivers events since a given time that the subscription never received; returns the id of the job that does it. */
export async function replay(app: TxApp, scope: queries.RedeliveryScope): Promise<number> {
  return startJob(app, 'replay', scope)
}

async function startJob(app: TxApp, kind: 'recover' | 'replay', scope: queries.RedeliveryScope): Promise<number> {
  const lastId = await queries.lastIdFor(app.db, kind, scope)
  const { id } = await insertJob(app.db, { kind, ...scope, lastId, now: app.clock.now() })
  // The holder of an ordered queue stops sending until the job has finished.
  await endPause(app, { workspaceId: scope.workspaceId, id: scope.subscriptionId })
  return id
}

export const countRecoverable = ({ db }: Pick<TxApp, 'db'>, scope: queries.RedeliveryScope) =>
  queries.countRecoverable(db, scope)

export const countReplayable = ({ db }: Pick<TxApp, 'db'>, scope: queries.RedeliveryScope): Promise<number> =>
  queries.countReplayable(db, scope)

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

/**
 * Runs a step of a job that no other worker has locked, and returns its workspace. The workspaces take turns: the next one
 * after `lastWorkspaceId` comes first.
 */
export async function runJobStep(app: App, lastWorkspaceId: number): Promise<number | undefined> {
  const found = await queries.findRunning(app.db, { lastWorkspaceId, limit: maxFoundJobs })
  for (const job of found) if (await runStep(app, job)) return job.workspaceId
  return undefined
}

/** Undoes a step. The next one finds that the job has nothing left to do. */
const overtaken = new Error('The subscription was enabled or disabled during a step of its job.')

async function runStep(app: App, running: RowRef): Promise<boolean> {
  const step = inTransaction(app, async (app) => {
    const job = await queries.lockJob(app.store, running)
    if (job === undefined) return false
    app.store.noteWorkspaces([job.workspace_id])
    const now = app.clock.now()
    const isNeeded = !(await isObsolete(app, job))
    const step = isNeeded ? await processBatch(app, job) : { read: 0, cursor: job.cursor, done: 0 }
    // The lock comes after the deliveries, in the order in which outcomes are recorded.
    if (isNeeded && (await isObsolete(app, job, { isLocked: true }))) throw overtaken
    const finished = step.read < stepSize
    await queries.saveJob(app.db, job, { ...step, finishedAt: finished ? now : null })
    if ((step.done > 0 || finished) && job.kind !== 'hold')
      await markDue(app.store, [queries.queueOf(job)], app.clock.scheduleNow())
    return true
  })
  return step.catch((fault: unknown) => {
    if (fault === overtaken) return true
    throw fault
  })
}

/** Whether the job has nothing to do: the subscription was enabled or disabled in the meantime. */
async function isObsolete({ store }: App, job: queries.JobRow, { isLocked = false } = {}): Promise<boolean> {
  const disabled = await queries.isQueueDisabled(store, queries.queueOf(job), { isLocked })
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
      ? await queries.addMissing(store, { job, ids, now: clock.now(), dueAt })
      : await queries.sendNow(store, {
          workspaceId: job.workspace_id,
          ids,
          dueAt,
          isMeant: queries.isRecoverable(job.since),
        })
  return { read: ids.length, cursor: ids.at(-1) ?? job.cursor, done }
}

/** Attempts a pending delivery later. */
export const postpone = (app: App, delivery: RowRef, by: Micros) =>
  inTransaction(app, ({ db }) => queries.postpone(db, delivery, app.clock.scheduleNow() + by))

/** Jobs of a workspace, newest first. */
export const listJobs = ({ db }: App, workspaceId: number, page: Page) => queries.listJobs(db, workspaceId, page)
