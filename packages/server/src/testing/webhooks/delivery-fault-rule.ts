import { hash } from 'node:crypto'
import type { EventPattern } from '@service/client/admin'
import { microsPerHour } from '../../core/clock.ts'
import { keysOf, requireKnown } from '../../core/known-keys.ts'
import type { SendContext } from '../../delivery/worker/send.ts'
import { type Duration, toMicros } from '../duration.ts'
import { toPatterns } from './captured-event.ts'

/** A fault between the platform and the receivers of its deliveries. */
export interface DeliveryFault {
  /** The affected events; all by default. */
  readonly match?: EventPattern | readonly EventPattern[]
  /** The maximum number of affected requests. */
  readonly times?: number
  /** Repeats the identical request: 2 sends two extra copies, at most 1,000; 0.3 sends one extra copy in 30 % of cases. */
  readonly duplicate?: boolean | number
  /**
   * Shuffles deliveries and duplicates: collects up to this number per subscription (default 8), for at most 50 ms
   * of real time. A delivery without others keeps its place, and is not affected.
   */
  readonly shuffle?: boolean | number
  /** Delays delivery by this time on the server's clock. */
  readonly delay?: Duration
  /** Drops the request: the platform records a success, but nothing arrives. True, or a chance from 0 to 1. */
  readonly drop?: boolean | number
  /** Signs a different body. True, or a chance from 0 to 1. */
  readonly badSignature?: boolean | number
  /**
   * Signs with a timestamp one hour old, or of the given age. Only Standard Webhooks headers have a timestamp: other
   * deliveries are not affected.
   */
  readonly oldTimestamp?: boolean | Duration
}

const names = keysOf<DeliveryFault>({
  match: true,
  times: true,
  duplicate: true,
  shuffle: true,
  delay: true,
  drop: true,
  badSignature: true,
  oldTimestamp: true,
})
const defaultShuffle = 8
/** They are sent one after the other, so a mistyped number would keep the server busy. */
const maxCopies = 1000

/** Applies defaults. Throws a TypeError that names the option and the remedy. */
export function checkDeliveryFault(fault: DeliveryFault) {
  requireKnown(fault, names, 'A delivery fault')
  requireEffect(fault)
  const { match = '*', times = Number.POSITIVE_INFINITY, duplicate = 0, shuffle = false, delay = 0 } = fault
  const isCount = times === Number.POSITIVE_INFINITY || (Number.isInteger(times) && times >= 1)
  if (!isCount) throw wrong('times', 'a whole number from 1')
  const copies = Number(duplicate)
  if (!isChance(copies) && !(Number.isInteger(copies) && copies > 0 && copies <= maxCopies))
    throw wrong('duplicate', `true, a whole number of at most ${maxCopies} copies, or a chance from 0 to 1`)
  const groupSize = shuffle === true ? defaultShuffle : Number(shuffle)
  const isGroup = typeof shuffle === 'boolean' || (Number.isInteger(groupSize) && groupSize >= 2)
  if (!isGroup) throw wrong('shuffle', 'true or a whole number from 2')
  return {
    patterns: toPatterns(match),
    times,
    copies: Math.ceil(copies),
    duplicateChance: Math.min(1, copies),
    shuffle: groupSize,
    delay: toMicros(delay, 'delay'),
    dropChance: toChance('drop', fault.drop),
    badSignatureChance: toChance('badSignature', fault.badSignature),
    age: toAge(fault.oldTimestamp),
  }
}

/** A fault without one would count as applied and prove nothing. */
function requireEffect({ match: _, times: __, ...effects }: DeliveryFault): void {
  if (Object.values(effects).some((effect) => effect !== undefined)) return
  throw new TypeError(
    'A delivery fault needs `duplicate`, `shuffle`, `delay`, `drop`, `badSignature`, or `oldTimestamp`.',
  )
}

function toAge(value: boolean | Duration = false): number {
  if (value === true) return microsPerHour
  return value === false ? 0 : toMicros(value, 'oldTimestamp')
}

const isChance = (value: number) => value >= 0 && value <= 1

function toChance(name: string, value: boolean | number = 0): number {
  if (!isChance(Number(value))) throw wrong(name, 'true or a chance from 0 to 1')
  return Number(value)
}

const wrong = (name: string, allowed: string) => new TypeError(`The delivery fault \`${name}\` is ${allowed}.`)

/** An active delivery fault. */
export interface ActiveFaultRule extends ReturnType<typeof checkDeliveryFault> {
  readonly number: number
  readonly name: string
  hits: number
  /** Deliveries that wait for the others of a shuffle, and count only if that changes their order. */
  collected: number
  /** Delayed deliveries, and those that are not resent yet. */
  readonly delayed: Set<number>
  readonly postponed: Set<number>
}

/** The effect of a fault on one request; undefined if there is none. */
export function createPlan(rule: ActiveFaultRule, context: SendContext, seed: string) {
  const draw = (kind: string) => chance(`${seed}:${rule.number}:${kind}`, context)
  const copies = draw('duplicate') < rule.duplicateChance ? rule.copies : 0
  const age = hasTime(context) ? rule.age : 0
  const plan = {
    rule,
    isLate: rule.delay > 0 && !rule.delayed.has(context.delivery.id),
    isLost: draw('drop') < rule.dropChance,
    isForged: draw('badSignature') < rule.badSignatureChance,
    copies,
    /** How old the time of the request is. */
    age,
    /** The positions of the request and its copies in the shuffled order. */
    ranks: Array.from({ length: copies + 1 }, (_, copy) => draw(`shuffle:${copy}`)),
  }
  const changesRequest = plan.isLate || plan.isLost || plan.isForged || copies > 0 || age > 0
  return changesRequest || rule.shuffle > 0 ? { ...plan, changesRequest } : undefined
}

/** What a fault does with one request. */
export type Plan = NonNullable<ReturnType<typeof createPlan>>

/** Only Standard Webhooks headers contain a time. */
const hasTime = ({ buildRequest, delivery, at }: SendContext) =>
  buildRequest(delivery, at).headers.includes('webhook-timestamp')

/** A number from 0 to 1 that depends only on the attempt and the delivery, not on the sending order. */
function chance(kind: string, { subscriptionId, delivery }: SendContext): number {
  const drawn = hash('sha256', `${kind}:${subscriptionId}:${delivery.event_id}:${delivery.attempts}`, 'buffer')
  return drawn.readUInt32BE(0) / 2 ** 32
}
