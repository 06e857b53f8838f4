import type { TestEvent } from '@service/contract/admin/webhook-input'
import { parseInstant as readInstant } from '@service/intake/sanitise/instant'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { formatInstantOrNull, formatInstant as toInstantText } from '../../core/clock.ts'
import { conflict, notFound, validation } from '../../core/errors.ts'
import { defaultPage, type Page } from '../../core/pagination.ts'
import * as post from '../../delivery/outbox/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type DeliveryWithBody, getDelivery } from './delivery-log-service.ts'
import { findDelivery } from './queries.ts'
import { getSubscription, type SinceInput, type SubscriptionAt } from './service.ts'

/** A background job on many deliveries that resumes after a restart. */
export interface Job {
  readonly id: number
  readonly kind: 'hold' | 'recover' | 'replay'
  readonly subscription_id: number
  readonly state: 'running' | 'finished'
  /** The number of deliveries changed or created so far. */
  readonly done: number
  /** The fraction of the work done, from 0 to 1; null if the total is unknown. */
  readonly progress: number | null
  readonly created_at: string
  readonly finished_at: string | null
}

/** Sends a delivery again, even if it succeeded. Its id stays the same. */
export function resendDelivery(app: App, at: { workspaceId: number; id: number }): Promise<DeliveryWithBody> {
  return inTransaction(app, async (app) => {
    const delivery = await findDelivery(app.db, at.workspaceId, at.id)
    if (delivery === undefined) throw notFound('delivery', at.id)
    await requireEnabled(app, { workspaceId: at.workspaceId, id: delivery.subscription_id })
    if (delivery.state === 'failed' && delivery.attempts === 0) throw conflict(delivery.error ?? 'It cannot be sent.')
    await post.resend(app, { ...at, subscriptionId: delivery.subscription_id })
    return getDelivery(app, at)
  })
}

/** Resends all deliveries that failed or were held since an instant. */
export const recoverDeliveries = (app: App, at: SubscriptionAt, input: SinceInput) =>
  start(app, { at, input }, post.recover)

/** Sends past events that match the subscription but were never delivered to it, such as those before its creation. */
export const replayMissing = (app: App, at: SubscriptionAt, input: SinceInput) => start(app, { at, input }, post.replay)

/** The number of deliveries that `recoverDeliveries` would send. */
export const countRecoverable = (app: App, at: SubscriptionAt, input: SinceInput) =>
  count(app, { at, input }, post.countRecoverable)

/** The number of deliveries that `replayMissing` would create. */
export const countMissing = (app: App, at: SubscriptionAt, input: SinceInput) =>
  count(app, { at, input }, post.countReplayable)

/** Jobs of a workspace, newest first. */
export async function listJobs(app: App, workspaceId: number, page: Page = defaultPage): Promise<Job[]> {
  const rows = await post.listJobs(app.db, workspaceId, page)
  return rows.map(toJob)
}

export async function getJob(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<Job> {
  const [job] = await post.listJobs(app.db, workspaceId, { limit: 1, before: id + 1 })
  if (job?.id !== id) throw notFound('job', id)
  return toJob(job)
}

type JobRow = Awaited<ReturnType<typeof post.listJobs>>[number]

function toJob({ id, kind, subscription_id, state, done, created_at, finished_at, ...at }: JobRow): Job {
  return {
    id,
    kind,
    subscription_id,
    state,
    done,
    progress: state === 'finished' ? 1 : progressOf(kind, at),
    created_at: toInstantText(created_at),
    finished_at: formatInstantOrNull(finished_at),
  }
}

/** A job scans ids up to `last_id`, except for holding, which takes deliveries in any order. */
const progressOf = (kind: Job['kind'], { cursor, last_id }: Pick<JobRow, 'cursor' | 'last_id'>) =>
  kind === 'hold' ? null : Math.min(cursor / Math.max(last_id, 1), 1)

/** Sends an example event, marked as a test, through the normal delivery path. */
export async function sendTest(
  app: App,
  at: SubscriptionAt,
  { event }: z.output<typeof TestEvent>,
): Promise<DeliveryWithBody> {
  // Loaded on demand: the examples are long, and otherwise only documentation uses them.
  const { eventExamples } = await import('@service/contract/docs/event-examples')
  return inTransaction(app, async (app) => {
    await requireEnabled(app, at)
    const place = { workspaceId: at.workspaceId, subscriptionId: at.id }
    const id = await post.enqueueTest(app, place, { event, payload: eventExamples[event] })
    return getDelivery(app, { workspaceId: at.workspaceId, id })
  })
}

interface Asked {
  readonly at: SubscriptionAt
  readonly input: SinceInput
}

function start(app: App, { at, input }: Asked, begin: typeof post.recover): Promise<{ readonly job_id: number }> {
  return inTransaction(app, async (app) => {
    await requireEnabled(app, at)
    return { job_id: await begin(app, wantedOf({ at, input })) }
  })
}

async function count(app: App, asked: Asked, ask: typeof post.countRecoverable): Promise<{ readonly count: number }> {
  await getSubscription(app, asked.at)
  return { count: await ask(app, wantedOf(asked)) }
}

function wantedOf({ at, input }: Asked) {
  const since = readInstant(input.since)
  if (since === null) throw validation({ since: ['The since field must be a date-time with an offset.'] })
  return { workspaceId: at.workspaceId, subscriptionId: at.id, since }
}

/** A disabled subscription cannot receive anything. */
async function requireEnabled(app: App, at: SubscriptionAt): Promise<void> {
  if (!(await getSubscription(app, at)).enabled) throw conflict(`Subscription ${at.id} is disabled: enable it first.`)
}
