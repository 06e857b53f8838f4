import type { Micros } from '../../core/clock.ts'
import { traceAttempt } from '../../core/tracing.ts'
import { afterFailure, afterSuccess, crossesWarning, shouldDisable } from '../queues/health.ts'
import {
  beginAttempt,
  blockedUntil,
  concurrencyLimit,
  disable,
  discardPrefetched,
  endAttempt,
  forget,
  type LeasedQueue,
  setHealth,
} from '../queues/leased-queue.ts'
import type { DueDelivery } from '../queues/request.ts'
import type { Outcome } from './outcome.ts'
import { decideRetry, isGone, type RetryDecision } from './retry-decision.ts'
import { maxInFlight, maxReserved, reservedOfWorkspace, type WorkerState } from './worker-state.ts'

/** Sends fetched deliveries until the limit of the receiver or of the worker is reached. */
export function dispatchReady(worker: WorkerState, queue: LeasedQueue, onFinished: () => void): void {
  while (canSend(worker, queue)) {
    const delivery = beginAttempt(queue, worker.app.clock.scheduleNow())
    if (delivery === undefined) return
    send(worker, { queue, delivery, onFinished })
  }
}

function canSend(worker: WorkerState, queue: LeasedQueue): boolean {
  return (
    worker.phase === 'working' &&
    hasSlot(worker, queue) &&
    queue.inFlight < concurrencyLimit(queue) &&
    queue.state.kind === 'sending' &&
    queue.leaseEndsMs > worker.app.clock.elapsedMs() &&
    blockedUntil(queue) <= worker.app.clock.scheduleNow()
  )
}

const hasSlot = ({ inFlight, inFlightOf }: WorkerState, { workspaceId }: LeasedQueue): boolean =>
  inFlight < maxInFlight ||
  (inFlight < maxInFlight + maxReserved && (inFlightOf.get(workspaceId) ?? 0) < reservedOfWorkspace)

function countInFlight(worker: WorkerState, { workspaceId }: LeasedQueue, change: 1 | -1): void {
  worker.inFlight += change
  const count = (worker.inFlightOf.get(workspaceId) ?? 0) + change
  if (count === 0) worker.inFlightOf.delete(workspaceId)
  else worker.inFlightOf.set(workspaceId, count)
}

interface Sending {
  readonly queue: LeasedQueue
  readonly delivery: DueDelivery
  /** Called when the request has finished. */
  readonly onFinished: () => void
}

function send(worker: WorkerState, { queue, delivery, onFinished }: Sending): void {
  const startedAt = worker.app.clock.now()
  countInFlight(worker, queue, 1)
  const { subscriptionId, workspaceId, settings } = queue
  const context = { subscriptionId, workspaceId, buildRequest: settings.buildRequest, at: startedAt }
  void traceAttempt(tracedAttempt(queue, delivery), (traceparent) =>
    worker.interceptSend({ ...context, delivery: { ...delivery, traceparent } }, worker.sender.send),
  ).then((outcome) => {
    const wasFull = worker.inFlight >= maxInFlight
    endAttempt(queue, delivery)
    countInFlight(worker, queue, -1)
    // Requests aborted by shutdown are not the receiver's failure. The next worker sends them again.
    if (worker.phase === 'aborted' || outcome === undefined) forget(queue, delivery.id)
    else recordOutcome(worker, queue, { delivery, startedAt, outcome })
    for (const next of wasFull ? roundRobin(worker, queue) : [queue]) dispatchReady(worker, next, onFinished)
    onFinished()
  })
}

const tracedAttempt = ({ subscriptionId, workspaceId }: LeasedQueue, delivery: DueDelivery) => ({
  event: delivery.name,
  traceparent: delivery.traceparent,
  attributes: {
    'service.workspace_id': workspaceId,
    'service.subscription_id': subscriptionId,
    'service.delivery_id': delivery.id,
    'service.delivery_attempt': delivery.attempts + 1,
  },
})

/** Round-robin: if all slots were taken, the queue that freed one goes last. */
function roundRobin(worker: WorkerState, queue: LeasedQueue): LeasedQueue[] {
  const others = [...worker.leased.values()].filter((each) => each !== queue)
  worker.leased.delete(queue.subscriptionId)
  worker.leased.set(queue.subscriptionId, queue)
  return [...others, queue]
}

interface Attempt {
  readonly delivery: DueDelivery
  readonly startedAt: Micros
  readonly outcome: Outcome
}

function recordOutcome(worker: WorkerState, queue: LeasedQueue, attempted: Attempt): void {
  const { delivery, startedAt, outcome } = attempted
  const now = worker.app.clock.scheduleNow()
  const wallNow = worker.app.clock.now()
  const attempts = delivery.attempts + 1 - delivery.attempts_before
  const decision = decideRetry(outcome, {
    attempts,
    now,
    wallNow,
    random: () => randomFrom(worker, delivery),
    schedule: queue.settings.schedule,
  })
  worker.app.metrics.attempt(outcome.kind, outcome.durationMs)
  const attempt = {
    workspace_id: queue.workspaceId,
    delivery_id: delivery.id,
    number: delivery.attempts + 1,
    started_at: startedAt,
    duration_ms: Math.round(outcome.durationMs),
    outcome: outcome.kind,
    status: outcome.status,
    error: outcome.error,
    response: outcome.response,
    ip: outcome.ip,
    state: decision.state,
    next_attempt_at: decision.nextAttemptAt,
    finished_at: decision.finishedAt,
  }
  worker.outcomes.push({ queue, attempt })
  if (outcome.kind === 'ok') setHealth(queue, afterSuccess(queue.health, now))
  else recordFailure(worker, queue, { ...attempted, decision, now })
  if (isGone(outcome)) disable(queue, { at: wallNow, reason: 'gone', isNew: true })
  else if (outcome.kind !== 'ok' && shouldDisable(queue.health, now))
    disable(queue, { at: wallNow, reason: 'failing', isNew: true })
}

function recordFailure(
  { app: { log } }: WorkerState,
  queue: LeasedQueue,
  { delivery, outcome, decision, now }: Attempt & { decision: RetryDecision; now: Micros },
): void {
  const ids = { subscription_id: queue.subscriptionId, workspace_id: queue.workspaceId, delivery_id: delivery.id }
  const warn = crossesWarning(queue.health, now)
  setHealth(queue, afterFailure(queue.health, now))
  if (warn) log.warn(`Subscription ${queue.subscriptionId} keeps failing and will be disabled.`, ids)
  if (decision.state === 'failed')
    log.warn(`Delivery ${delivery.id} was given up after ${delivery.attempts + 1} attempts.`, {
      ...ids,
      error: outcome.error,
    })
  // In order: later deliveries wait until this one succeeds or is given up.
  if (queue.settings.fifo && decision.state === 'pending') discardPrefetched(queue)
}

/** From 0 to 1. Responses arrive in any order, so each attempt derives its own number where the source allows it. */
function randomFrom({ app: { ids } }: WorkerState, { id, attempts }: DueDelivery): number {
  const [high = 0, low = 0] = ids.bytesFor?.(`jitter:${id}:${attempts}`, 2) ?? ids.bytes(2)
  return (high * 256 + low) / 65_535
}
