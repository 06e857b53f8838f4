import type { Micros } from '../clock.ts'
import { afterFailure, afterSuccess, isGivenUp, passesWarning } from './health.ts'
import { blockedUntil, dropReady, type HeldQueue, limitOf } from './held-queue.ts'
import type { Outcome } from './outcome.ts'
import { paceOn } from './pace.ts'
import type { DueDelivery } from './request.ts'
import { mostInFlight, type Shift } from './shift.ts'
import { isGone, type Verdict, verdictOf } from './verdict.ts'

/** Sends what is fetched as far as there are places: of the receiver, and of the worker. */
export function sendReady(shift: Shift, queue: HeldQueue): void {
  while (mayBegin(shift, queue)) {
    const delivery = queue.ready.shift()
    if (delivery === undefined) return
    begin(shift, queue, delivery)
  }
}

function mayBegin(shift: Shift, queue: HeldQueue): boolean {
  return (
    shift.phase === 'working' &&
    shift.inFlight < mostInFlight &&
    queue.inFlight < limitOf(queue) &&
    queue.disabled === undefined &&
    !queue.isLeaving &&
    blockedUntil(queue) <= shift.app.clock.now()
  )
}

function begin(shift: Shift, queue: HeldQueue, delivery: DueDelivery): void {
  const startedAt = shift.app.clock.now()
  if (queue.ratePerMinute !== null) queue.pacedUntil = paceOn(queue.pacedUntil, startedAt, queue.ratePerMinute)
  queue.inFlight += 1
  shift.inFlight += 1
  const { subscriptionId, workspaceId, dress } = queue
  const parcel = { subscriptionId, workspaceId, delivery, dress, at: startedAt }
  void shift.carry(parcel, shift.sender.send).then((outcome) => {
    const wasFull = shift.inFlight >= mostInFlight
    queue.inFlight -= 1
    shift.inFlight -= 1
    queue.bodies.bytes -= delivery.size
    // What was cut off by our own going is not the receiver's failure: it is sent again by whoever comes next.
    if (shift.phase === 'aborted' || outcome === undefined) queue.known.delete(delivery.id)
    else settle(shift, queue, { delivery, startedAt, outcome })
    for (const next of wasFull ? inTurn(shift, queue) : [queue]) sendReady(shift, next)
    shift.onFinished()
  })
}

/** When all places were taken, the queue that frees one comes last, so that nobody keeps them for himself. */
function inTurn(shift: Shift, queue: HeldQueue): HeldQueue[] {
  const others = [...shift.held.values()].filter((each) => each !== queue)
  shift.held.delete(queue.subscriptionId)
  shift.held.set(queue.subscriptionId, queue)
  return [...others, queue]
}

interface Made {
  readonly delivery: DueDelivery
  readonly startedAt: Micros
  readonly outcome: Outcome
}

function settle(shift: Shift, queue: HeldQueue, made: Made): void {
  const { delivery, startedAt, outcome } = made
  const now = shift.app.clock.now()
  const attempts = delivery.attempts + 1 - delivery.attempts_before
  const verdict = verdictOf(outcome, {
    attempts,
    now,
    random: () => randomFrom(shift, delivery),
    schedule: queue.schedule,
  })
  shift.app.metrics.attempt(outcome.kind, outcome.durationMs)
  const attempt = {
    delivery_id: delivery.id,
    number: delivery.attempts + 1,
    started_at: startedAt,
    duration_ms: Math.round(outcome.durationMs),
    outcome: outcome.kind,
    status: outcome.status,
    error: outcome.error,
    response: outcome.response,
    ip: outcome.ip,
    state: verdict.state,
    next_attempt_at: verdict.nextAttemptAt,
    finished_at: verdict.finishedAt,
  }
  shift.finished.push({ queue, attempt })
  if (outcome.kind === 'ok') queue.health = afterSuccess(queue.health, now)
  else noteFailure(shift, queue, { ...made, verdict, now })
  queue.disabled ??= endOf(queue, outcome, now)
}

function noteFailure(
  { app: { log } }: Shift,
  queue: HeldQueue,
  { delivery, outcome, verdict, now }: Made & { verdict: Verdict; now: Micros },
): void {
  const who = { subscription_id: queue.subscriptionId, workspace_id: queue.workspaceId, delivery_id: delivery.id }
  const warn = passesWarning(queue.health, now)
  queue.health = afterFailure(queue.health, now)
  if (warn) log.warn(`The receiver of subscription ${queue.subscriptionId} keeps failing and will be disabled.`, who)
  if (verdict.state === 'failed')
    log.warn(`Delivery ${delivery.id} was given up after ${delivery.attempts + 1} attempts.`, {
      ...who,
      error: outcome.error,
    })
  // In order: what comes after it waits until it has succeeded or is given up.
  if (queue.fifo && verdict.state === 'pending') dropReady(queue)
}

/** Whether this was the last that the receiver gets. */
function endOf({ health }: HeldQueue, outcome: Outcome, now: Micros): HeldQueue['disabled'] {
  if (isGone(outcome)) return { at: now, reason: 'gone', isNew: true }
  return outcome.kind !== 'ok' && isGivenUp(health, now) ? { at: now, reason: 'failing', isNew: true } : undefined
}

/** From 0 to 1, from the app's own source. Answers come in any order, so each attempt has its own number where it can. */
function randomFrom({ app: { ids } }: Shift, { id, attempts }: DueDelivery): number {
  const [high = 0, low = 0] = ids.bytesFor?.(`jitter:${id}:${attempts}`, 2) ?? ids.bytes(2)
  return (high * 256 + low) / 65_535
}
