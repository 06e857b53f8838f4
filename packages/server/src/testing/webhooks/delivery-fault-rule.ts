import { hash } from 'node:crypto'
import type { EventPattern } from '@service/client/admin'
import { microsPerHour } from '../../core/clock.ts'
import { keysOf, requireKnown } from '../../core/known-keys.ts'
import type { SendContext } from '../../delivery/dispatch/send.ts'
import { type Duration, toMicros } from '../duration.ts'
import { toPatterns } from './captured-event.ts'

/** What goes wrong with deliveries between the platform and their receivers. */
export interface DeliveryFault {
  /** Which events are meant; all unless told otherwise. */
  readonly match?: EventPattern | readonly EventPattern[]
  /** How many requests it strikes at most. */
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
  /** Loses the request: the platform takes it for delivered, and it never comes. True, or a chance from 0 to 1. */
  readonly drop?: boolean | number
  /** Signs something else. True, or a chance from 0 to 1. */
  readonly badSignature?: boolean | number
  /** Signs with a time that is an hour old, or as old as said. Only Standard Webhooks headers have a time. */
  readonly oldTimestamp?: boolean | Duration
}

/** A rule with everything filled in. */
interface CheckedDeliveryFault {
  readonly patterns: readonly EventPattern[]
  readonly times: number
  readonly copies: number
  readonly duplicateChance: number
  readonly shuffle: number
  readonly delay: number
  readonly dropChance: number
  readonly badSignatureChance: number
  readonly age: number
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

/** Throws a TypeError that names the option and the remedy. */
export function checkDeliveryFault(rule: DeliveryFault): CheckedDeliveryFault {
  requireKnown(rule, names, 'A delivery fault')
  const {
    match = '*',
    times = Number.POSITIVE_INFINITY,
    duplicate = 0,
    shuffle = 0,
    delay = 0,
    oldTimestamp = 0,
  } = rule
  require(times >= 1 &&
    (times === Number.POSITIVE_INFINITY || Number.isInteger(times)), 'times', 'a whole number from 1')
  const copies = Number(duplicate)
  require(isChance(copies) ||
    Number.isInteger(copies), 'duplicate', 'true, a whole number of copies or a chance from 0 to 1')
  const most = shuffle === true ? usualShuffle : Number(shuffle)
  require(most === 0 || (Number.isInteger(most) && most >= 2), 'shuffle', 'true or a whole number from 2')
  return {
    patterns: toPatterns(match),
    times,
    copies: Math.ceil(copies),
    duplicateChance: Math.min(1, copies),
    shuffle: most,
    delay: toMicros(delay),
    dropChance: chanceOf('drop', rule.drop),
    badSignatureChance: chanceOf('badSignature', rule.badSignature),
    age: ageOf(oldTimestamp),
  }
}

function ageOf(given: boolean | Duration): number {
  if (given === true) return microsPerHour
  return given === false ? 0 : toMicros(given)
}

const isChance = (value: number) => value >= 0 && value <= 1

function chanceOf(name: string, given: boolean | number = 0): number {
  require(isChance(Number(given)), name, 'true or a chance from 0 to 1')
  return Number(given)
}

function require(holds: boolean, name: string, what: string): void {
  if (!holds) throw new TypeError(`The delivery fault \`${name}\` is ${what}.`)
}

/** A rule in force. */
export interface ActiveFaultRule extends CheckedDeliveryFault {
  readonly number: number
  hits: number
  /** Deliveries that it has put off, and those of them that have not come back yet. */
  readonly delayed: Set<number>
  readonly away: Set<number>
}

/** What a rule does to one request. */
export interface DeliveryPlan {
  readonly rule: ActiveFaultRule
  readonly isLate: boolean
  readonly isLost: boolean
  readonly isForged: boolean
  readonly copies: number
  /** The places of the request and of its copies among those that they are shuffled with. */
  readonly ranks: readonly number[]
}

/** Undefined when chance spares it. */
export function planOf(rule: ActiveFaultRule, context: SendContext, seed: string): DeliveryPlan | undefined {
  const draw = (kind: string) => chance(`${seed}:${rule.number}:${kind}`, context)
  const copies = draw('duplicate') < rule.duplicateChance ? rule.copies : 0
  const plan = {
    rule,
    isLate: rule.delay > 0 && !rule.delayed.has(context.delivery.id),
    isLost: draw('drop') < rule.dropChance,
    isForged: draw('badSignature') < rule.badSignatureChance,
    copies,
    ranks: Array.from({ length: copies + 1 }, (_, copy) => draw(`shuffle:${copy}`)),
  }
  const strikes = plan.isLate || plan.isLost || plan.isForged || plan.copies > 0 || rule.age > 0 || rule.shuffle > 0
  return strikes ? plan : undefined
}

/** From 0 to 1, the same for the same attempt of the same delivery, in whatever order they are sent. */
function chance(kind: string, { subscriptionId, delivery }: SendContext): number {
  const drawn = hash('sha256', `${kind}:${subscriptionId}:${delivery.event_id}:${delivery.attempts}`, 'buffer')
  return drawn.readUInt32BE(0) / 2 ** 32
}
