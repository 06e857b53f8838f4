import { hash } from 'node:crypto'
import type { SendContext } from '../../delivery/dispatch/send-interceptor.ts'
import type { CheckedDeliveryFault } from './delivery-fault-rule.ts'

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
  /** Its place among those that it is shuffled with. */
  readonly rank: number
}

/** Undefined when chance spares it. */
export function planOf(rule: ActiveFaultRule, context: SendContext, seed: string): DeliveryPlan | undefined {
  const draw = (kind: string) => chance(`${seed}:${rule.number}:${kind}`, context)
  const plan = {
    rule,
    isLate: rule.delay > 0 && !rule.delayed.has(context.delivery.id),
    isLost: draw('drop') < rule.dropChance,
    isForged: draw('badSignature') < rule.badSignatureChance,
    copies: draw('duplicate') < rule.duplicateChance ? rule.copies : 0,
    rank: draw('shuffle'),
  }
  const strikes = plan.isLate || plan.isLost || plan.isForged || plan.copies > 0 || rule.age > 0 || rule.shuffle > 0
  return strikes ? plan : undefined
}

/** From 0 to 1, the same for the same attempt of the same delivery, in whatever order they are sent. */
function chance(kind: string, { subscriptionId, delivery }: SendContext): number {
  const drawn = hash('sha256', `${kind}:${subscriptionId}:${delivery.event_id}:${delivery.attempts}`, 'buffer')
  return drawn.readUInt32BE(0) / 2 ** 32
}
