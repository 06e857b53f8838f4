import type { Carry, Parcel } from '../../delivery/carry.ts'
import type { Outcome } from '../../delivery/outcome.ts'
import type { OutgoingRequest } from '../../delivery/send.ts'
import { type ActiveRule, type Plan, planOf } from './disorder-plan.ts'
import { checkRule, type DisorderRule } from './disorder-rule.ts'
import { isMeant } from './patterns.ts'
import { createShuffler } from './shuffler.ts'

/** A disorder that was asked for. */
export interface ActiveDisorder {
  /** How many requests it has struck. */
  readonly hits: number
  remove(): void
  [Symbol.dispose](): void
}

export interface Disorder {
  add(rule: DisorderRule): ActiveDisorder
  readonly carry: Carry
  clear(): void
}

export interface DisorderOptions {
  /** The same seed gives the same disorder to the same deliveries, in whatever order they are sent. */
  readonly seed: string
  postpone(parcel: Parcel, until: number): Promise<unknown>
}

export function createDisorder({ seed, postpone }: DisorderOptions): Disorder {
  const rules = new Set<ActiveRule>()
  const shuffler = createShuffler()
  let count = 0

  /** Of the first rule that strikes it; what comes back after a delay is struck by the rest of the same. */
  function planFor(parcel: Parcel): Plan | undefined {
    const { id, name } = parcel.delivery
    for (const rule of rules) {
      const isBack = rule.away.delete(id)
      const isMeantNow = rule.hits < rule.times && isMeant(rule.patterns, name)
      const plan = isBack || isMeantNow ? planOf(rule, parcel, seed) : undefined
      if (plan === undefined) continue
      if (!isBack) rule.hits += 1
      return plan
    }
    return undefined
  }

  const disturb: Carry = async (parcel, send) => {
    const { dress, delivery, at } = parcel
    const plan = planFor(parcel)
    if (plan === undefined) return send(dress(delivery, at))
    const { rule, isLate, isLost, isForged, copies, rank } = plan
    if (isLate) {
      rule.delayed.add(delivery.id)
      rule.away.add(delivery.id)
      // Where that fails it is still due, and comes back at once.
      await postpone(parcel, at + rule.delay).catch(() => undefined)
      return undefined
    }
    if (isLost) return lost
    const request = isForged ? forge(parcel, at - rule.age) : dress(delivery, at - rule.age)
    const sendAll = () => sendTimes(request, send, copies + 1)
    if (rule.shuffle === 0) return sendAll()
    return shuffler.pass(sendAll, { subscriptionId: parcel.subscriptionId, most: rule.shuffle, rank })
  }

  return {
    carry: (parcel, send) =>
      rules.size === 0 ? send(parcel.dress(parcel.delivery, parcel.at)) : disturb(parcel, send),
    add(given) {
      count += 1
      const rule: ActiveRule = { ...checkRule(given), number: count, hits: 0, delayed: new Set(), away: new Set() }
      rules.add(rule)
      const remove = () => void rules.delete(rule)
      return {
        get hits() {
          return rule.hits
        },
        remove,
        [Symbol.dispose]: remove,
      }
    },
    clear() {
      rules.clear()
      count = 0
    },
  }
}

const lost: Outcome = {
  kind: 'ok',
  status: null,
  error: null,
  response: 'Lost on purpose: server.webhooks.disorder({ drop })',
  ip: null,
  durationMs: 0,
  retryAfter: undefined,
  wish: undefined,
}

/** The signatures are well formed, but those of another body. */
function forge({ dress, delivery }: Parcel, at: number): OutgoingRequest {
  const { headers } = dress({ ...delivery, body: `${delivery.body} ` }, at)
  return { ...dress(delivery, at), headers }
}

/** The last answer is the one that counts, as when the first ones were lost on the way back. */
async function sendTimes(
  request: OutgoingRequest,
  send: (request: OutgoingRequest) => Promise<Outcome>,
  times: number,
): Promise<Outcome> {
  for (let sent = 1; sent < times; sent += 1) await send(request)
  return send(request)
}
