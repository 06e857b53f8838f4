import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { type Duration, toMicros } from '../duration.ts'
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
import { type ConnectionFault, type Fault, type Latency, strikesAfter } from './fault.ts'
import { faultResponse } from './fault-response.ts'
import { forMs, onClock, type PendingWaits, untilReleased } from './pending-waits.ts'

/** A fault and the request that it affects. */
export interface FaultApplication {
  readonly fault: Fault
  readonly observed: ObservedRequest
  readonly chance: Chance
  readonly clock: Clock
  /** Of waiting requests. */
  readonly waits: PendingWaits
  /** Of responses being sent. */
  readonly bodyWaits: PendingWaits
}

/** Applies a fault. `answer` runs the platform's handler, before the fault or not at all. */
export async function applyFault(application: FaultApplication, answer: () => Promise<Response>): Promise<Response> {
  const { fault, observed } = application
  const { latency, connection, respond } = fault
  const done = strikesAfter(fault) ? await answer() : undefined
  if (latency !== undefined) await delay(application, latency)
  if (connection !== undefined && connection !== 'reset-mid-body') return breakConnection(application, connection)
  const given = respond === undefined ? (done ?? (await answer())) : await faultResponse(respond, observed.request)
  return spoilAnswer(application, given)
}

/** If the caller disconnects or the wait is released, the request continues. */
async function delay({ fault, observed, chance, clock, waits }: FaultApplication, latency: Latency): Promise<void> {
  const ms = drawLatencyMs(latency, chance)
  const { after } = clock
  const isVirtual = fault.clock === 'virtual' && after !== undefined
  await waits.wait(signalOf(observed), isVirtual ? onClock((end) => after(ms, end)) : forMs(ms))
}

async function breakConnection(
  { observed, waits }: FaultApplication,
  fault: Exclude<ConnectionFault, 'reset-mid-body'>,
): Promise<never> {
  if (fault === 'hang') await waits.wait(signalOf(observed), untilReleased)
  const shown = fault === 'hang' ? 'close' : fault
  const outgoing = outgoingOf(observed.env)
  // On a port, the connection already exists, so faults that should prevent it reset it instead.
  if (outgoing !== undefined) breakSocket(outgoing, shown === 'close' ? 'close' : 'reset')
  throw connectionError(shown, observed.request.url)
}

async function spoilAnswer({ fault, observed, bodyWaits }: FaultApplication, given: Response): Promise<Response> {
  const { damage, bytesPerSecond, connection } = fault
  if (damage === undefined && bytesPerSecond === undefined && connection === undefined) return given
  const whole = await readWhole(given)
  if (connection !== undefined || damage === 'truncated')
    return cutShort(observed, whole, connection ? 'reset' : 'close')
  const spoilt = damage === undefined ? whole : spoil(whole, damage)
  return bytesPerSecond === undefined ? fromWholeAnswer(spoilt) : trickle(spoilt, bytesPerSecond, bodyWaits)
}

type WholeAnswer = Awaited<ReturnType<typeof readWhole>>

async function cutShort({ request, env }: ObservedRequest, whole: WholeAnswer, how: 'reset' | 'close') {
  const fault = how === 'reset' ? 'reset-mid-body' : 'close'
  const outgoing = outgoingOf(env)
  if (outgoing === undefined) return breakOff(whole, fault, request.url)
  await breakOffOnSocket(outgoing, whole, how)
  throw connectionError(fault, request.url, true)
}

function signalOf({ request, env }: ObservedRequest): AbortSignal {
  const outgoing = outgoingOf(env)
  return outgoing === undefined ? request.signal : hungUp(outgoing)
}

const defaultSigma = 0.5

export function drawLatencyMs(latency: Latency, chance: Chance): number {
  if (typeof latency !== 'object') return toMs(latency)
  if ('median' in latency) return toMs(latency.median) * Math.exp((latency.sigma ?? defaultSigma) * normal(chance))
  const min = toMs(latency.min)
  return min + chance() * (toMs(latency.max) - min)
}

const toMs = (duration: Duration) => toMicros(duration) / 1000

/** The Box–Muller transform of two uniform draws. 0 has no logarithm. */
const normal = (chance: Chance) => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())

/** Uniform in [0, 1). */
export type Chance = () => number

/**
 * Each fault has its own random stream, so that its draws do not depend on other draws or change the platform's ids.
 * It is deterministic if they are.
 */
export function chanceOf(ids: Ids, fault: number | string): Chance {
  let draws = 0
  return () => {
    draws += 1
    const bytes = ids.bytesFor?.(`fault:${fault}:${draws}`, 4) ?? randomBytes(4)
    return Buffer.from(bytes).readUInt32BE(0) / 2 ** 32
  }
}
