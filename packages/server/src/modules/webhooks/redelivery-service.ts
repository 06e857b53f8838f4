import { instantProblem } from '@service/contract'
import type { DeliveryJob, DeliveryWithBody } from '@service/contract/admin/deliveries'
import type { TestEvent } from '@service/contract/admin/webhook-input'
import { parseInstant } from '@service/intake/sanitize/instant'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { formatInstant, formatInstantOrNull } from '../../core/clock.ts'
import { conflict, notFound, validation } from '../../core/errors.ts'
import { defaultPage, type Page } from '../../core/pagination.ts'
import { enqueueTest } from '../../delivery/outbox/outbox.ts'
import * as deliveries from '../../delivery/redelivery/redelivery.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { getDelivery } from './delivery-log-service.ts'
import { findDelivery } from './queries.ts'
import { getSubscription, type SinceInput } from './service.ts'

/** Sends a delivery again, even if it succeeded. Its id stays the same. */
export function resendDelivery(app: App, { workspaceId, id }: RowRef): Promise<DeliveryWithBody> {
  return inTransaction(app, async (app) => {
    const delivery = await findDelivery(app.db, workspaceId, id)
    if (delivery === undefined) throw notFound('delivery', id)
    if (delivery.disabled_reason === 'deleted')
      throw conflict(`Delivery ${id} cannot be sent again: its subscription ${delivery.subscription_id} was deleted.`)
    await requireEnabled(app, { workspaceId, id: delivery.subscription_id })
    await deliveries.resend(app, { workspaceId, id, subscriptionId: delivery.subscription_id })
    return getDelivery(app, { workspaceId, id })
  })
}

/** Sends all retrying, failed, and held deliveries since an instant now. */
export const recoverDeliveries = (app: App, subscription: RowRef, input: SinceInput) =>
  startJob(app, { subscription, input }, deliveries.recover)

/** Sends past events that match the subscription but were never delivered to it, such as those before its creation. */
export const replayMissing = (app: App, subscription: RowRef, input: SinceInput) =>
  startJob(app, { subscription, input }, deliveries.replay)

/** The number of deliveries that `recoverDeliveries` would send. */
export const countRecoverable = (app: App, subscription: RowRef, input: SinceInput) =>
  countJob(app, { subscription, input }, deliveries.countRecoverable)

/** The number of deliveries that `replayMissing` would create. */
export const countMissing = (app: App, subscription: RowRef, input: SinceInput) =>
  countJob(app, { subscription, input }, async (app, scope) => ({
    count: await deliveries.countReplayable(app, scope),
  }))

interface JobRequest {
  readonly subscription: RowRef
  readonly input: SinceInput
}

function startJob(
  app: App,
  request: JobRequest,
  start: typeof deliveries.recover,
): Promise<{ readonly job_id: number }> {
  return inTransaction(app, async (app) => {
    await requireEnabled(app, request.subscription)
    await requireRoom(app, 'delivery_jobs', request.subscription.workspaceId)
    return { job_id: await start(app, parsePeriod(request)) }
  })
}

/** Like starting the job, but only counts. */
async function countJob<Count>(
  app: App,
  request: JobRequest,
  count: (app: App, scope: ReturnType<typeof parsePeriod>) => Promise<Count>,
): Promise<Count> {
  await getSubscription(app, request.subscription)
  return count(app, parsePeriod(request))
}

function parsePeriod({ subscription: { workspaceId, id }, input }: JobRequest) {
  const since = parseInstant(input.since)
  if (since === null) throw validation({ since: [`The since field ${instantProblem}.`] })
  return { workspaceId, subscriptionId: id, since }
}

/** Jobs of a workspace, newest first. */
export async function listJobs(app: App, workspaceId: number, page: Page = defaultPage): Promise<DeliveryJob[]> {
  const rows = await deliveries.listJobs(app, workspaceId, page)
  return rows.map(toJob)
}

export async function getJob(app: App, { workspaceId, id }: RowRef): Promise<DeliveryJob> {
  const [job] = await deliveries.listJobs(app, workspaceId, { limit: 1, before: id + 1 })
  if (job?.id !== id) throw notFound('job', id)
  return toJob(job)
}

type JobRow = Awaited<ReturnType<typeof deliveries.listJobs>>[number]

function toJob({ id, kind, subscription_id, state, done, created_at, finished_at, ...scan }: JobRow): DeliveryJob {
  return {
    id,
    kind,
    subscription_id,
    state,
    done,
    progress: state === 'finished' ? 1 : toProgress(kind, scan),
    created_at: formatInstant(created_at),
    finished_at: formatInstantOrNull(finished_at),
  }
}

/** A job scans ids up to `last_id`, except for holding, which takes deliveries in any order. */
const toProgress = (kind: DeliveryJob['kind'], { cursor, last_id }: Pick<JobRow, 'cursor' | 'last_id'>) =>
  kind === 'hold' ? null : Math.min(cursor / Math.max(last_id, 1), 1)

/** Sends an example event, marked as a test, through the normal delivery path. */
export async function sendTest(app: App, at: RowRef, { event }: z.output<typeof TestEvent>): Promise<DeliveryWithBody> {
  // Loaded on demand: the examples are long, and otherwise only documentation uses them.
  const { eventExamples } = await import('@service/contract/docs/event-examples')
  return inTransaction(app, async (app) => {
    await requireEnabled(app, at)
    const subscription = { workspaceId: at.workspaceId, subscriptionId: at.id }
    const id = await enqueueTest(app, subscription, { event, payload: eventExamples[event] })
    return getDelivery(app, { workspaceId: at.workspaceId, id })
  })
}

/** A disabled subscription cannot receive anything. */
async function requireEnabled(app: App, at: RowRef): Promise<void> {
  if (!(await getSubscription(app, at)).enabled) throw conflict(`Subscription ${at.id} is disabled: enable it first.`)
}
