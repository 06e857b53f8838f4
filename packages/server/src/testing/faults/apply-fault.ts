import type { Clock } from '../../core/clock.ts'
import type { ObservedRequest } from '../observed-request.ts'
import {
  breakOff,
  breakOffOnSocket,
  breakSocket,
  connectionError,
  fromWholeAnswer,
  hungUp,
  outgoingOf,
  readWhole,
  spoil,
  trickle,
} from './broken-connection.ts'
import { type ConnectionFault, type Fault, strikesAfter } from './fault.ts'
import { faultResponse } from './fault-response.ts'
import { type Chance, drawLatencyMs } from './latency.ts'
import { forEver, forMs, type PendingWaits, untilWoken } from './pending-waits.ts'

/** A fault that strikes one request. */
export interface FaultApplication {
  readonly fault: Fault
  readonly visit: ObservedRequest
  readonly chance: Chance
  readonly clock: Clock
  /** Of requests that wait. */
  readonly pauses: PendingWaits
  /** Of answers that are on their way. */
  readonly bodies: PendingWaits
}

/** Lets a fault strike; `answer` is the platform's work, which is done or not. */
export async function applyFault(blow: FaultApplication, answer: () => Promise<Response>): Promise<Response> {
  const { fault, visit } = blow
  const done = strikesAfter(fault) ? await answer() : undefined
  if (fault.latency !== undefined) await delay(blow, fault.latency)
  if (fault.connection !== undefined && fault.connection !== 'reset-mid-body') {
    return breakConnection(blow, fault.connection)
  }
  const given =
    fault.respond === undefined ? (done ?? (await answer())) : await faultResponse(fault.respond, visit.request)
  return spoilAnswer(blow, given)
}

/** Whoever waits may hang up, or the wait may be ended from outside; then the request goes on. */
async function delay(
  { fault, visit, chance, clock, pauses: pendingWaits }: FaultApplication,
  latency: NonNullable<Fault['latency']>,
) {
  const ms = drawLatencyMs(latency, chance)
  const wake = fault.clock === 'virtual' ? clock.after : undefined
  await pendingWaits.wait(signalOf(visit), wake === undefined ? forMs(ms) : untilWoken((end) => wake(ms, end)))
}

async function breakConnection(
  { visit, pauses: pendingWaits }: FaultApplication,
  fault: Exclude<ConnectionFault, 'reset-mid-body'>,
): Promise<Response> {
  const { request, env } = visit
  const outgoing = outgoingOf(env)
  if (fault === 'hang') await pendingWaits.wait(signalOf(visit), forEver)
  // Over a port it is too late for a connection that never came about: it is reset.
  if (outgoing !== undefined) breakSocket(outgoing, fault === 'close' || fault === 'hang' ? 'close' : 'reset')
  throw connectionError(fault === 'hang' ? 'close' : fault, request.url)
}

async function spoilAnswer({ fault, visit, bodies }: FaultApplication, given: Response): Promise<Response> {
  const { damage, bytesPerSecond, connection } = fault
  if (damage === undefined && bytesPerSecond === undefined && connection === undefined) return given
  const whole = await readWhole(given)
  if (connection !== undefined || damage === 'truncated') return cutShort(visit, whole, connection ? 'reset' : 'close')
  const spoilt = damage === undefined ? whole : spoil(whole, damage)
  return bytesPerSecond === undefined ? fromWholeAnswer(spoilt) : trickle(spoilt, bytesPerSecond, bodies)
}

async function cutShort(visit: ObservedRequest, whole: Awaited<ReturnType<typeof readWhole>>, how: 'reset' | 'close') {
  const fault = how === 'reset' ? 'reset-mid-body' : 'close'
  const outgoing = outgoingOf(visit.env)
  if (outgoing === undefined) return breakOff(whole, fault, visit.request.url)
  await breakOffOnSocket(outgoing, whole, how)
  throw connectionError(fault, visit.request.url, true)
}

function signalOf({ request, env }: ObservedRequest): AbortSignal {
  const outgoing = outgoingOf(env)
  return outgoing === undefined ? request.signal : hungUp(outgoing)
}
