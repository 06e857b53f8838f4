import type { EventName } from '@service/contract'
import type { EventPattern } from '@service/contract/admin/webhook-input'
import { formatInstant, type Micros, microsPerDay, microsPerHour } from '../../../core/clock.ts'
import { wildcardOf } from '../../../core/event-patterns.ts'
import { afterFailure, afterSuccess, type Health, healthy } from '../../../delivery/dispatch/health.ts'
import { outcomeOfError, outcomeOfStatus } from '../../../delivery/dispatch/outcome.ts'
import { nextAttempt, schedule } from '../../../delivery/dispatch/retry-decision.ts'
import { updateQueue } from '../../../delivery/leases/queue-queries.ts'
import { createSubscription } from '../../../modules/webhooks/service.ts'
import { pinTime } from '../../factories/factory-context.ts'
import type { Company } from './company.ts'
import type { StoredEvent } from './events.ts'
import { idAt, insertRows, takeIds } from './insert-rows.ts'
import type { Random } from './random.ts'

/** What a receiver answers, or that it does not. */
interface Answer {
  readonly status: number | null
  readonly response: string | null
  readonly durationMs: number
}

interface Receiver {
  readonly description: string
  /** Of a name that cannot exist (RFC 6761), so nothing that comes later is sent anywhere either. */
  readonly url: string
  readonly events: readonly EventPattern[]
  readonly connectedAgo: number
  /** Switched off by hand so many days ago; what came since is held. */
  readonly disabledAgo?: number
  answer(random: Random, attempt: { readonly number: number; readonly ago: Micros }): Answer
}

const quick = (random: Random): number => random.whole(38, 260)
const accepted = (random: Random): Answer => ({ status: 200, response: '{"received":true}', durationMs: quick(random) })

/** Since when the second one fails. It is disabled five days after its first failure: soon. */
const failingFor = 4 * microsPerDay + 13 * microsPerHour
const timeoutsFor = 3 * microsPerDay + 2 * microsPerHour

/** The oldest first. */
const receivers: readonly Receiver[] = [
  {
    description: 'Old intranet',
    url: 'https://intranet.harbourline.test/feed',
    events: ['message.created', 'ticket.resolved'],
    connectedAgo: 55,
    disabledAgo: 6.2,
    answer: (random) => ({ status: 204, response: null, durationMs: quick(random) }),
  },
  {
    description: 'Order desk',
    url: 'https://orderdesk.harbourline.test/hooks/service',
    events: ['ticket.*', 'task.*'],
    connectedAgo: 41,
    answer: (random, { number }) =>
      number === 1 && random.happens(0.025)
        ? { status: 503, response: 'upstream connect error', durationMs: random.whole(400, 1900) }
        : accepted(random),
  },
  {
    description: 'Analytics',
    url: 'https://ingest.analytics.invalid/v2/tickets',
    events: ['ticket.created', 'ticket.resolved'],
    connectedAgo: 24,
    answer(random, { ago }) {
      if (ago > failingFor) return accepted(random)
      if (ago < timeoutsFor && random.happens(0.7)) return { status: null, response: null, durationMs: 15_000 }
      const response = '{"error":"relation \\"tickets_raw\\" does not exist","request_id":"an-7f31"}'
      return { status: 500, response, durationMs: random.whole(70, 420) }
    },
  },
]

/** A subscription, with when it was made. */
export interface Connected {
  readonly id: number
  readonly description: string
  readonly at: Micros
  readonly disabledAt: Micros | null
}

/** Makes the subscriptions with what became of the events since then. */
export async function storeSubscriptions(
  company: Company,
  events: readonly StoredEvent[],
): Promise<readonly Connected[]> {
  const random = company.random('deliveries')
  const subscriptions: Subscribed[] = []
  for (const receiver of receivers) subscriptions.push(await subscribe(company, receiver))
  const planned = subscriptions.flatMap((subscription) => planDeliveries(random, { subscription, events, company }))
  const deliveries = await storeDeliveries(company, planned)
  for (const subscription of subscriptions) {
    const own = deliveries.filter(({ subscription: { id } }) => id === subscription.id)
    await storeHealth(company, subscription, own)
  }
  return subscriptions
}

interface Subscribed extends Connected {
  readonly receiver: Receiver
}

async function subscribe({ app, workspace, now }: Company, receiver: Receiver): Promise<Subscribed> {
  const at = now - receiver.connectedAgo * microsPerDay
  const { url, description, disabledAgo } = receiver
  const subscription = { workspace_id: workspace, url, description, events: [...receiver.events] }
  const { id } = await createSubscription(pinTime(app, formatInstant(at)), subscription)
  return {
    id,
    description,
    at,
    disabledAt: disabledAgo === undefined ? null : now - disabledAgo * microsPerDay,
    receiver,
  }
}

interface Planned extends Delivered {
  readonly subscription: Subscribed
  readonly event: StoredEvent
}

interface Planning {
  readonly subscription: Subscribed
  readonly events: readonly StoredEvent[]
  readonly company: Company
}

const planDeliveries = (random: Random, { subscription, events, company: { now } }: Planning): Planned[] =>
  events
    .filter(({ name, at }) => at > subscription.at && isWanted(subscription.receiver, name))
    .map((event) => ({
      subscription,
      event,
      ...deliver(random, { receiver: subscription.receiver, event, now }),
    }))

type Stored = Planned & { readonly id: number }

/** As the platform stores them: the events in their order, so that ids grow with time. */
async function storeDeliveries(company: Company, planned: readonly Planned[]): Promise<readonly Stored[]> {
  const { app, workspace: workspace_id } = company
  const ids = await takeIds(app, 'deliveries', planned.length)
  const ahead = aheadOf(company)
  const deliveries = planned
    .toSorted((a, b) => a.event.at - b.event.at || a.subscription.id - b.subscription.id)
    .map((delivery, index) => ({ ...delivery, id: idAt(ids, index) }))
  await insertRows(
    app,
    'deliveries',
    deliveries.map(({ id, subscription, event, state, attempts, nextAt, finishedAt }) => ({
      id,
      workspace_id,
      subscription_id: subscription.id,
      event_id: event.id,
      state,
      attempt_class: attempts.length === 0 ? 0 : 1,
      attempts: attempts.length,
      attempts_before: 0,
      next_attempt_at: nextAt + ahead,
      error: attempts.at(-1)?.error ?? null,
      created_at: event.at,
      finished_at: finishedAt,
    })),
  )
  await insertRows(
    app,
    'delivery_attempts',
    attemptsOf(deliveries).map((attempt) => ({ workspace_id, ...attempt })),
  )
  return deliveries
}

/** The schedule may be ahead of the clock on the wall. */
const aheadOf = ({ app, now }: Company): Micros => app.clock.scheduleNow() - now

const attemptsOf = (deliveries: readonly Stored[]) =>
  deliveries
    .flatMap(({ id, attempts }) => attempts.map((attempt) => ({ delivery_id: id, ...attempt })))
    .toSorted((a, b) => a.started_at - b.started_at)

async function storeHealth(
  company: Company,
  { id, disabledAt }: Subscribed,
  deliveries: readonly Stored[],
): Promise<void> {
  const ahead = aheadOf(company)
  const due = deliveries.flatMap(({ state, nextAt }) => (state === 'pending' ? [nextAt + ahead] : []))
  await updateQueue(
    company.app.db,
    { workspaceId: company.workspace, subscriptionId: id },
    {
      ...toColumns(healthOf(attemptsOf(deliveries)), ahead),
      due_at: due.length === 0 ? null : Math.min(...due),
      ...(disabledAt === null ? {} : { disabled_at: disabledAt, disabled_reason: 'manual' }),
    },
  )
}

const isWanted = ({ events }: Receiver, name: EventName): boolean =>
  events.some((pattern) => pattern === name || pattern === wildcardOf(name))

interface Attempt {
  readonly number: number
  readonly started_at: Micros
  readonly duration_ms: number
  readonly outcome: string
  readonly status: number | null
  readonly error: string | null
  readonly response: string | null
  readonly ip: string
}

interface Delivered {
  readonly state: 'pending' | 'succeeded' | 'failed' | 'held'
  readonly attempts: readonly Attempt[]
  readonly nextAt: Micros
  readonly finishedAt: Micros | null
}

/** Tries as the worker would have, up to now. */
function deliver(
  random: Random,
  { receiver, event, now }: { readonly receiver: Receiver; readonly event: StoredEvent; readonly now: Micros },
): Delivered {
  const { disabledAgo } = receiver
  if (disabledAgo !== undefined && event.at > now - disabledAgo * microsPerDay)
    return { state: 'held', attempts: [], nextAt: event.at, finishedAt: null }
  const attempts: Attempt[] = []
  let nextAt: Micros | undefined = event.at + random.whole(4, 40) * 1000
  while (nextAt !== undefined && nextAt <= now) {
    const attempt = toAttempt(
      attempts.length + 1,
      nextAt,
      receiver.answer(random, { number: attempts.length + 1, ago: now - nextAt }),
    )
    attempts.push(attempt)
    const endedAt = Math.min(now, attempt.started_at + attempt.duration_ms * 1000)
    if (attempt.outcome === 'ok') return { state: 'succeeded', attempts, nextAt: endedAt, finishedAt: endedAt }
    nextAt = nextAttempt({
      attempts: attempts.length,
      now: endedAt,
      random: random.fraction(),
      retryAfter: undefined,
      schedule,
    })
    if (nextAt === undefined) return { state: 'failed', attempts, nextAt: endedAt, finishedAt: endedAt }
  }
  return { state: 'pending', attempts, nextAt: nextAt ?? now, finishedAt: null }
}

/** In the documentation's own range of addresses (RFC 5737). */
const ip = '203.0.113.24'

function toAttempt(number: number, started_at: Micros, { status, response, durationMs }: Answer): Attempt {
  const late = Object.assign(new Error('No answer'), { code: 'ETIMEDOUT' })
  const { kind, error } = status === null ? outcomeOfError(late, false) : outcomeOfStatus(status)
  return { number, started_at, duration_ms: durationMs, outcome: kind, status, error, response, ip }
}

/** As the worker reckons it, attempt by attempt. */
const healthOf = (attempts: readonly Attempt[]): Health =>
  attempts.reduce((health, { outcome, started_at, duration_ms }) => {
    const at = started_at + duration_ms * 1000
    return outcome === 'ok' ? afterSuccess(health, at) : afterFailure(health, at)
  }, healthy)

function toColumns(health: Health, ahead: Micros) {
  const shifted = (at: Micros | null) => (at === null ? null : at + ahead)
  return {
    send_limit: health.sendLimit,
    failures_in_a_row: health.failuresInARow,
    paused_until: shifted(health.pausedUntil),
    failing_since: shifted(health.failingSince),
    failing_days: health.failingDays,
    last_success_at: shifted(health.lastSuccessAt),
    last_failure_at: shifted(health.lastFailureAt),
  }
}
