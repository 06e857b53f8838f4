import { hash } from 'node:crypto'
import type { EventPattern } from '@service/client/admin'
import { microsPerHour } from '../../core/clock.ts'
import { keysOf, requireKnown } from '../../core/known-keys.ts'
import type { SendContext } from '../../delivery/dispatch/send.ts'
import { type Duration, toMicros } from '../duration.ts'
import { toPatterns } from './captured-event.ts'

/** What goes wrong with deliveries between the platform and their receivers. */
export interface DeliveryFault {
  /** Which events are affected; all by default. */
  readonly match?: EventPattern | readonly EventPattern[]
  /** The largest number of requests it affects. */
  readonly times?: number
  /** Sends the same request again, byte for byte: 2 means two copies more, 0.3 one copy in three cases of ten. */
  readonly duplicate?: boolean | number
  /**
   * Changes the order, of duplicates too: gathers up to that many deliveries to a subscription (8), for 50 ms of real time
   * at most.
   */
  readonly shuffle?: boolean | number
  /** Sends later by this much of the server's clock. */
  readonly delay?: Duration
  /** Loses the request: the platform records it as delivered, but it never arrives. True, or a chance from 0 to 1. */
  readonly drop?: boolean | number
  /** Signs another body. True, or a chance from 0 to 1. */
  readonly badSignature?: boolean | number
  /** Signs with a time that is an hour old, or as old as said. Only Standard Webhooks headers have a time. */
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
const usualShuffle = 8

/** The fault with all defaults. Throws a TypeError that names the option and the remedy. */
export function checkDeliveryFault(given: DeliveryFault) {
  requireKnown(given, names, 'A delivery fault')
  const { match = '*', times = Number.POSITIVE_INFINITY, duplicate = 0, shuffle = 0, delay = 0 } = given
  const isCount = times === Number.POSITIVE_INFINITY || (Number.isInteger(times) && times >= 1)
  if (!isCount) throw wrong('times', 'a whole number from 1')
  const copies = Number(duplicate)
  if (!isChance(copies) && !Number.isInteger(copies))
    throw wrong('duplicate', 'true, a whole number of copies or a chance from 0 to 1')
  const gathered = shuffle === true ? usualShuffle : Number(shuffle)
  const isGroup = gathered === 0 || (Number.isInteger(gathered) && gathered >= 2)
  if (!isGroup) throw wrong('shuffle', 'true or a whole number from 2')
  return {
    patterns: toPatterns(match),
    times,
    copies: Math.ceil(copies),
    duplicateChance: Math.min(1, copies),
    shuffle: gathered,
    delay: toMicros(delay),
    dropChance: toChance('drop', given.drop),
    badSignatureChance: toChance('badSignature', given.badSignature),
    age: toAge(given.oldTimestamp),
  }
}

function toAge(given: boolean | Duration = false): number {
  if (given === true) return microsPerHour
  return given === false ? 0 : toMicros(given)
}

const isChance = (value: number) => value >= 0 && value <= 1

function toChance(name: string, given: boolean | number = 0): number {
  if (!isChance(Number(given))) throw wrong(name, 'true or a chance from 0 to 1')
  return Number(given)
}

const wrong = (name: string, allowed: string) => new TypeError(`The delivery fault \`${name}\` is ${allowed}.`)

/** A delivery fault in force. */
export interface ActiveFaultRule extends ReturnType<typeof checkDeliveryFault> {
  readonly number: number
  hits: number
  /** The deliveries that it has delayed, and those of them that are not sent again yet. */
  readonly delayed: Set<number>
  readonly away: Set<number>
}

/** What a fault does to one request; undefined if it does nothing this time. */
export function planOf(rule: ActiveFaultRule, context: SendContext, seed: string) {
  const draw = (kind: string) => chance(`${seed}:${rule.number}:${kind}`, context)
  const copies = draw('duplicate') < rule.duplicateChance ? rule.copies : 0
  const plan = {
    rule,
    isLate: rule.delay > 0 && !rule.delayed.has(context.delivery.id),
    isLost: draw('drop') < rule.dropChance,
    isForged: draw('badSignature') < rule.badSignatureChance,
    copies,
    /** Where the request and its copies go among those that they are shuffled with. */
    ranks: Array.from({ length: copies + 1 }, (_, copy) => draw(`shuffle:${copy}`)),
  }
  const changes = plan.isLate || plan.isLost || plan.isForged || copies > 0 || rule.age > 0 || rule.shuffle > 0
  return changes ? plan : undefined
}

/** From 0 to 1, the same for the same attempt of the same delivery, in whatever order they are sent. */
function chance(kind: string, { subscriptionId, delivery }: SendContext): number {
  const drawn = hash('sha256', `${kind}:${subscriptionId}:${delivery.event_id}:${delivery.attempts}`, 'buffer')
  return drawn.readUInt32BE(0) / 2 ** 32
}
