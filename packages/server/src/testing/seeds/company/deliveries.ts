import { type EventName, type EventOf, toTicketNumber, wildcardOf } from '@service/contract'
import { formatEventTimestamp, type Micros, microsPerHour, parseInstant } from '../../../core/clock.ts'
import { afterFailure, afterSuccess, type Health, healthy } from '../../../delivery/queues/health.ts'
import { updateQueue } from '../../../delivery/queues/queue-queries.ts'
import { schedule } from '../../../delivery/queues/retry-schedule.ts'
import type { DeliveryState } from '../../../delivery/table.ts'
import { outcomeOfError, outcomeOfStatus } from '../../../delivery/worker/outcome.ts'
import { nextAttempt } from '../../../delivery/worker/retry-decision.ts'
import { type Company, daysFrom, records, spread } from './company.ts'
import type { StoredMessage } from './messages.ts'
import type { StoredTask } from './sales-and-tasks.ts'
import { byTime, insertRows, withIds } from './store-rows.ts'
import type { StoredTicket } from './tickets.ts'
import data from './work.json' with { type: 'json' }

type Payload = {
  [Name in EventName]: { readonly event: Name } & Omit<EventOf<Name>, 'event' | 'workspace_id' | 'timestamp'>
}[EventName]

/** An event as stored in the outbox. */
interface OutboxEvent {
  readonly at: Micros
  readonly name: EventName
  readonly body: string
}

interface Sources {
  readonly tickets: readonly StoredTicket[]
  readonly tasks: readonly StoredTask[]
  readonly messages: readonly StoredMessage[]
}

/** Stores events within the retention period. */
export async function storeEvents(
  { app, workspace: workspace_id, now, ids }: Company,
  { tickets, tasks, messages }: Sources,
) {
  const toEvent = (at: Micros, { event, ...payload }: Payload): OutboxEvent => {
    const body = { event, workspace_id, timestamp: formatEventTimestamp(at), ...payload }
    return { at, name: event, body: JSON.stringify(body) }
  }
  const ofTickets = tickets.flatMap(({ row: { id, number, title, priority, created_at }, changes }) => {
    const named = (status: string) => ({ id, ticket_number: toTicketNumber(number), title, status, priority })
    const changed = changes.flatMap(({ at, kind, changes, status }) => [
      toEvent(at, { event: 'ticket.updated', ticket: named(status), changes }),
      ...(kind === 'resolved' ? [toEvent(at, { event: 'ticket.resolved', ticket: named(status) })] : []),
    ])
    return [toEvent(created_at, { event: 'ticket.created', ticket: named('open') }), ...changed]
  })
  const ofMessages = messages.map(({ id, at, channel: name, author, body }) => {
    const channel = { id: ids[name] ?? 0, name }
    const message = { id, body, channel, author: author && { id: author.id, name: author.name } }
    return toEvent(at, { event: 'message.created', message })
  })
  const ofTasks = tasks.map(({ id, title, status, priority, project_id, ticket_id, created_at }) =>
    toEvent(created_at, { event: 'task.created', task: { id, title, status, priority, project_id, ticket_id } }),
  )
  const since = daysFrom(now, 0.5 - app.config.deliveryRetentionDays)
  const retained = [...ofTickets, ...ofMessages, ...ofTasks].filter(({ at }) => at > since)
  const events = await withIds(app, 'events', retained)
  const rows = events.map(({ at, ...event }) => ({ ...event, workspace_id, created_at: at, key: app.ids.uuid() }))
  await insertRows(app, 'events', rows)
  return events
}

type StoredEvent = Awaited<ReturnType<typeof storeEvents>>[number]
type Subscription = Company['subscriptions'][number]

/** When a subscription was disabled manually, in days from now. Later events are held. */
export const disabledSince = -6.2
export const isDisabled = ({ description }: Subscription) => description === 'Old intranet'

/** Simulates the worker's attempts up to now, and stores each subscription's health. */
export async function storeDeliveries(company: Company, events: readonly StoredEvent[]): Promise<void> {
  const { app, now, workspace: workspace_id } = company
  // The schedule may be ahead of wall time.
  const ahead = app.clock.scheduleNow() - now
  const planned = company.subscriptions.flatMap((subscription) =>
    events.filter((event) => isSubscribed(subscription, event)).map((event) => ({ at: event.at, subscription, event })),
  )
  const deliveries = (await withIds(app, 'deliveries', planned)).map((delivery) => ({
    ...delivery,
    ...simulateDelivery(now, delivery),
  }))
  const rows = deliveries.map(({ id, at, subscription, event, state, attempts, endsAt }) => ({
    id,
    workspace_id,
    subscription_id: subscription.id,
    event_id: event.id,
    state,
    created_at: at,
    attempt_class: Math.min(1, attempts.length),
    attempts: attempts.length,
    attempts_before: 0,
    next_attempt_at: endsAt + ahead,
    error: attempts.at(-1)?.error ?? null,
    finished_at: state === 'succeeded' || state === 'failed' ? endsAt : null,
  }))
  await insertRows(app, 'deliveries', rows)
  await insertRows(app, 'delivery_counts', countsOf(rows))
  const attempts = byTime(deliveries.flatMap(({ attempts }) => attempts))
  const log = attempts.map(({ at, subscription: _, ...attempt }) => ({ workspace_id, started_at: at, ...attempt }))
  await insertRows(app, 'delivery_attempts', log)
  for (const subscription of company.subscriptions) {
    const waiting = deliveries.filter(
      (delivery) => delivery.subscription === subscription && delivery.state === 'pending',
    )
    const due_at = waiting.length === 0 ? null : Math.min(...waiting.map(({ endsAt }) => endsAt)) + ahead
    const disabled = { disabled_at: daysFrom(now, disabledSince), disabled_reason: 'manual' }
    const own = attempts.filter((attempt) => attempt.subscription === subscription)
    await updateQueue(
      app.db,
      { workspaceId: workspace_id, subscriptionId: subscription.id },
      {
        ...computeHealth(own, ahead),
        due_at,
        ...(isDisabled(subscription) ? disabled : {}),
      },
    )
  }
}

/** Deliveries are counted in the hour of their event. One that was not tried yet does not count. */
function countsOf(rows: readonly DeliveryRow[]) {
  const tried = rows.filter(({ attempts }) => attempts > 0)
  const hourOf = ({ created_at }: DeliveryRow) => Math.floor(created_at / microsPerHour)
  const groups = Map.groupBy(tried, (row) => `${hourOf(row)} ${row.subscription_id}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const succeeded = group.filter(({ state }) => state === 'succeeded').length
    const { workspace_id, subscription_id } = first
    return [{ workspace_id, subscription_id, hour: hourOf(first), succeeded, failed: group.length - succeeded }]
  })
}

interface DeliveryRow {
  readonly workspace_id: number
  readonly subscription_id: number
  readonly state: DeliveryState
  readonly created_at: Micros
  readonly attempts: number
}

const isSubscribed = ({ events, created_at }: Subscription, { name, at }: StoredEvent): boolean =>
  at > parseInstant(created_at) && events.some((pattern) => pattern === name || pattern === wildcardOf(name))

interface Attempted {
  readonly id: number
  readonly at: Micros
  readonly subscription: Subscription
}

type Attempt = ReturnType<typeof createAttempt>

interface SimulatedDelivery {
  readonly state: DeliveryState
  readonly attempts: readonly Attempt[]
  readonly endsAt: Micros
}

function simulateDelivery(now: Micros, delivery: Attempted): SimulatedDelivery {
  const attempts: Attempt[] = []
  const isHeld = isDisabled(delivery.subscription) && delivery.at > daysFrom(now, disabledSince)
  if (isHeld) return { state: 'held', attempts, endsAt: delivery.at }
  let nextAt: Micros | undefined = delivery.at + 20_000
  while (nextAt !== undefined && nextAt <= now) {
    const number = attempts.length + 1
    const attempt = createAttempt(now, { ...delivery, at: nextAt }, number)
    attempts.push(attempt)
    const endsAt = Math.min(now, nextAt + attempt.duration_ms * 1000)
    if (attempt.outcome === 'ok') return { state: 'succeeded', attempts, endsAt }
    const random = spread(delivery.id + number)
    nextAt = nextAttempt({ attempts: number, now: endsAt, random, retryAfter: undefined, schedule })
    if (nextAt === undefined) return { state: 'failed', attempts, endsAt }
  }
  return { state: 'pending', attempts, endsAt: nextAt }
}

interface Failure {
  readonly receiver: string
  /** For this number of days. */
  readonly days: number
  /** The share of failing attempts. */
  readonly share: number
  readonly first_only: boolean
  /** Null if it does not respond. */
  readonly status: number | null
  readonly response: string | null
  readonly duration_ms: number
}

const failures = records<Failure>(data.failures)

function createAttempt(now: Micros, { id: delivery_id, at, subscription }: Attempted, number: number) {
  const happens = ({ receiver, days, share, first_only }: Failure) =>
    receiver === subscription.description &&
    at >= daysFrom(now, -days) &&
    (number === 1 || !first_only) &&
    spread(delivery_id + number) < share
  const accepted = { status: 200, response: '{"received":true}', duration_ms: 38 + (delivery_id % 220) }
  const { status, response, duration_ms } = failures.find(happens) ?? accepted
  const noAnswer = Object.assign(new Error('No answer'), { code: 'ETIMEDOUT' })
  const { kind, error } = status === null ? outcomeOfError(noAnswer, false) : outcomeOfStatus(status)
  // From the address range reserved for documentation (RFC 5737).
  const ip = '203.0.113.24'
  return { delivery_id, subscription, number, at, duration_ms, outcome: kind, status, error, response, ip }
}

/** A subscription's health, computed per attempt as the worker does. */
function computeHealth(attempts: readonly Attempt[], ahead: Micros) {
  const health = attempts.reduce((before: Health, { outcome, at, duration_ms }) => {
    const endedAt = at + ahead + duration_ms * 1000
    return outcome === 'ok' ? afterSuccess(before, endedAt) : afterFailure(before, endedAt)
  }, healthy)
  return {
    send_limit: health.sendLimit,
    failures_in_a_row: health.failuresInARow,
    paused_until: health.pausedUntil,
    failing_since: health.failingSince,
    failing_days: health.failingDays,
    last_success_at: health.lastSuccessAt,
    last_failure_at: health.lastFailureAt,
  }
}
