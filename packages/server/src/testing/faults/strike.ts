import type { Clock } from '../../clock.ts'
import type { Visit } from '../visit.ts'
import { answerOf } from './answer.ts'
import { breakOff, readWhole, spoil, toResponse, trickle } from './body.ts'
import { connectionError } from './broken-connection.ts'
import type { Chance } from './chance.ts'
import { type ConnectionFault, type Fault, strikesAfter } from './fault.ts'
import { drawLatencyMs } from './latency.ts'
import { forEver, forMs, type Pauses } from './pauses.ts'
import { breakOffOnSocket, breakSocket, hungUp, outgoingOf } from './socket.ts'

/** A fault that strikes one request. */
export interface Strike {
  readonly fault: Fault
  readonly visit: Visit
  readonly chance: Chance
  readonly clock: Clock
  /** Of requests that wait. */
  readonly pauses: Pauses
  /** Of answers that are on their way. */
  readonly bodies: Pauses
}

/** Lets a fault strike; `answer` is the platform's work, which is done or not. */
export async function strike(blow: Strike, answer: () => Promise<Response>): Promise<Response> {
  const { fault, visit } = blow
  const done = strikesAfter(fault) ? await answer() : undefined
  if (fault.latency !== undefined) await delay(blow, fault.latency)
  if (fault.connection !== undefined && fault.connection !== 'reset-mid-body') {
    return breakConnection(blow, fault.connection)
  }
  const given = fault.respond === undefined ? (done ?? (await answer())) : await answerOf(fault.respond, visit.request)
  return spoilAnswer(blow, given)
}

/** Whoever waits may hang up, or the wait may be ended from outside; then the request goes on. */
async function delay({ fault, visit, chance, clock, pauses }: Strike, latency: NonNullable<Fault['latency']>) {
  const ms = drawLatencyMs(latency, chance)
  const wake = fault.clock === 'virtual' ? clock.after : undefined
  await pauses.wait(signalOf(visit), wake === undefined ? forMs(ms) : (end) => wake(ms, end))
}

async function breakConnection(
  { visit, pauses }: Strike,
  fault: Exclude<ConnectionFault, 'reset-mid-body'>,
): Promise<Response> {
  const { request, env } = visit
  const outgoing = outgoingOf(env)
  if (fault === 'hang') await pauses.wait(signalOf(visit), forEver)
  // Over a port it is too late for a connection that never came about: it is reset.
  if (outgoing !== undefined) breakSocket(outgoing, fault === 'close' || fault === 'hang' ? 'close' : 'reset')
  throw connectionError(fault === 'hang' ? 'close' : fault, request.url)
}

async function spoilAnswer({ fault, visit, bodies }: Strike, given: Response): Promise<Response> {
  const { damage, bytesPerSecond, connection } = fault
  if (damage === undefined && bytesPerSecond === undefined && connection === undefined) return given
  const whole = await readWhole(given)
  if (connection !== undefined || damage === 'truncated') return cutShort(visit, whole, connection ? 'reset' : 'close')
  const spoilt = damage === undefined ? whole : spoil(whole, damage)
  return bytesPerSecond === undefined ? toResponse(spoilt) : trickle(spoilt, bytesPerSecond, bodies)
}

async function cutShort(visit: Visit, whole: Awaited<ReturnType<typeof readWhole>>, how: 'reset' | 'close') {
  const fault = how === 'reset' ? 'reset-mid-body' : 'close'
  const outgoing = outgoingOf(visit.env)
  if (outgoing === undefined) return breakOff(whole, fault, visit.request.url)
  await breakOffOnSocket(outgoing, whole, how)
  throw connectionError(fault, visit.request.url, true)
}

function signalOf({ request, env }: Visit): AbortSignal {
  const outgoing = outgoingOf(env)
  return outgoing === undefined ? request.signal : hungUp(outgoing)
}
