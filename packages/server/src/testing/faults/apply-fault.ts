import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import { type Duration, toMicros } from '../duration.ts'
import type { ObservedRequest } from '../observed-request.ts'
import {
  breakSocket,
  bufferResponse,
  connectionError,
  damageBody,
  disconnectSignal,
  findNodeResponse,
  releasableResponse,
  throttledResponse,
  toResponse,
  truncatedResponse,
  truncateOnSocket,
} from './broken-connection.ts'
import { appliesAfterWork, type ConnectionFault, type Fault, type Latency } from './fault.ts'
import { faultResponse } from './fault-response.ts'
import type { RequestWaits } from './pending-waits.ts'

/** A fault and the request that it affects. */
export interface FaultApplication {
  readonly fault: Fault
  readonly observed: ObservedRequest
  readonly chance: Chance
  readonly clock: Clock
  readonly log: Log
  /** Before its response. */
  readonly waits: RequestWaits
  /** While its response is sent. */
  readonly bodyWaits: RequestWaits
}

/** Applies a fault. `answer` runs the platform's handler, before the fault or not at all. */
export async function applyFault(application: FaultApplication, answer: () => Promise<Response>): Promise<Response> {
  const { fault } = application
  const { latency, connection, respond } = fault
  const handled = appliesAfterWork(fault) ? await answer() : undefined
  if (latency !== undefined) await delay(application, latency)
  if (connection !== undefined && connection !== 'reset-mid-body') return breakConnection(application, connection)
  const response = respond === undefined ? (handled ?? (await answer())) : await respondInstead(application, respond)
  return damageResponse(application, response)
}

async function respondInstead(
  application: FaultApplication,
  respond: NonNullable<Fault['respond']>,
): Promise<Response> {
  const { observed, bodyWaits: waits, log } = application
  const { env, request } = observed
  const answering = faultResponse(respond, request).catch((thrown: unknown) => {
    // In process, the caller gets the error.
    if (findNodeResponse(env) !== undefined)
      log.error(`The function in \`respond\` of a fault threw, so the response is 500: ${inspect(thrown)}`)
    throw thrown
  })
  const response = await untilEnded(application, answering)
  if (typeof respond !== 'function') return response
  if (response.type === 'error') return breakConnection(application, 'reset')
  const signal = callerSignal(observed)
  return releasableResponse({ response, url: request.url, outgoing: findNodeResponse(env), signal, waits })
}

/** A test's function, and the stream that it returns, may never end. */
async function untilEnded<Result>(application: FaultApplication, work: Promise<Result>): Promise<Result> {
  const { observed, waits } = application
  return (await waits.forWork(callerSignal(observed), work)) ? work : breakConnection(application, 'close')
}

/** If the caller disconnects or the wait is released, the request continues. */
async function delay({ fault, observed, chance, clock, waits }: FaultApplication, latency: Latency): Promise<void> {
  const ms = drawLatencyMs(latency, chance)
  const { after } = clock
  const isVirtual = fault.clock === 'virtual' && after !== undefined
  const signal = callerSignal(observed)
  await (isVirtual ? waits.onClock(signal, (end) => after(ms, end)) : waits.forMs(signal, ms))
}

async function breakConnection(
  { observed, waits }: FaultApplication,
  fault: Exclude<ConnectionFault, 'reset-mid-body'>,
): Promise<never> {
  if (fault === 'hang') await waits.untilReleased(callerSignal(observed))
  const visibleFault = fault === 'hang' ? 'close' : fault
  const outgoing = findNodeResponse(observed.env)
  // On a port, the connection already exists, so faults that should prevent it reset it instead.
  if (outgoing !== undefined) breakSocket(outgoing, visibleFault === 'close' ? 'close' : 'reset')
  throw connectionError(visibleFault, observed.request.url)
}

async function damageResponse(application: FaultApplication, response: Response): Promise<Response> {
  const { fault, bodyWaits } = application
  const { damage, bytesPerSecond, connection } = fault
  if (damage === undefined && bytesPerSecond === undefined && connection === undefined) return response
  const buffered = await untilEnded(application, bufferResponse(response))
  if (connection !== undefined || damage === 'truncated')
    return truncateBody(application.observed, buffered, connection ? 'reset' : 'close')
  const damaged = damage === undefined ? buffered : damageBody(buffered, damage)
  return bytesPerSecond === undefined ? toResponse(damaged) : throttledResponse(damaged, bytesPerSecond, bodyWaits)
}

type BufferedResponse = Awaited<ReturnType<typeof bufferResponse>>

async function truncateBody({ request, env }: ObservedRequest, buffered: BufferedResponse, how: 'reset' | 'close') {
  const fault = how === 'reset' ? 'reset-mid-body' : 'close'
  const outgoing = findNodeResponse(env)
  // Complete with its headers, so the caller could not see that the connection breaks.
  if (buffered.bytes.length === 0 || request.method === 'HEAD') return toResponse(buffered, null)
  if (outgoing === undefined) return truncatedResponse(buffered, fault, request.url)
  await truncateOnSocket(outgoing, buffered, how)
  throw connectionError(fault, request.url, true)
}

function callerSignal({ request, env }: ObservedRequest): AbortSignal {
  const outgoing = findNodeResponse(env)
  return outgoing === undefined ? request.signal : disconnectSignal(outgoing)
}

const defaultSigma = 0.5

export function drawLatencyMs(latency: Latency, chance: Chance): number {
  if (typeof latency !== 'object') return toMs(latency)
  if ('median' in latency) return toMs(latency.median) * Math.exp((latency.sigma ?? defaultSigma) * normal(chance))
  const min = toMs(latency.min)
  return min + chance() * (toMs(latency.max) - min)
}

const toMs = (duration: Duration) => toMicros(duration, 'latency') / 1000

/** The Box–Muller transform of two uniform draws. 0 has no logarithm. */
const normal = (chance: Chance) => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())

/** Uniform in [0, 1). */
export type Chance = () => number

/**
 * Each fault has its own random stream, so that its draws do not depend on other draws or change the platform's ids.
 * It is deterministic if they are.
 */
export function createChance(ids: Ids, fault: number | string, draws = { count: 0 }): Chance {
  return () => {
    draws.count += 1
    const bytes = ids.bytesFor?.(`fault:${fault}:${draws.count}`, 4) ?? randomBytes(4)
    return Buffer.from(bytes).readUInt32BE(0) / 2 ** 32
  }
}
