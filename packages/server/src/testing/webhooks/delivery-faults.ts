import { clearTimeout, setTimeout } from '../../core/clock.ts'
import type { OutgoingRequest } from '../../delivery/queues/request.ts'
import type { Outcome } from '../../delivery/worker/outcome.ts'
import type { SendContext, SendInterceptor } from '../../delivery/worker/send.ts'
import { countFault, type TestCoverage } from '../test-coverage.ts'
import { matchesAny } from './captured-event.ts'
import { type ActiveFaultRule, checkDeliveryFault, createPlan, type DeliveryFault } from './delivery-fault-rule.ts'

/** An added delivery fault. */
export interface ActiveDeliveryFault {
  /** The number of affected requests. */
  readonly hits: number
  remove(): void
  [Symbol.dispose](): void
}

export interface DeliveryFaults {
  add(rule: DeliveryFault): ActiveDeliveryFault
  readonly interceptSend: SendInterceptor
  clear(): void
  /** The faults with their counts, for a fork. */
  states(): readonly ActiveFaultRule[]
  /** Adds the faults of the server from which this one is forked. */
  adopt(states: readonly ActiveFaultRule[]): void
}

export interface DeliveryFaultOptions {
  /** The same seed affects the same deliveries, regardless of the sending order. */
  readonly seed: string
  postpone(context: SendContext, by: number): Promise<unknown>
  readonly coverage: TestCoverage
}

export function createDeliveryFaults({ seed, postpone, coverage }: DeliveryFaultOptions): DeliveryFaults {
  const rules = new Set<ActiveFaultRule>()
  const shuffle = createShuffler()
  let count = 0

  /** The plan of the first matching rule. After a delay, the rest of the same rule applies. */
  function planFor(context: SendContext) {
    const { id, name } = context.delivery
    for (const rule of rules) {
      const isResent = rule.postponed.delete(id)
      const applies = isResent || (rule.hits < rule.times && matchesAny(rule.patterns, name))
      const plan = applies ? createPlan(rule, context, seed) : undefined
      if (plan === undefined) continue
      if (!isResent) {
        rule.hits += 1
        countFault(coverage, rule.name, 1)
      }
      return plan
    }
    return undefined
  }

  return {
    async interceptSend(context, send) {
      const { buildRequest, delivery, at, subscriptionId } = context
      const plan = planFor(context)
      if (plan === undefined) return send(buildRequest(delivery, at))
      const { rule, isLate, isLost, isForged, copies, ranks } = plan
      if (isLate) {
        rule.delayed.add(delivery.id)
        rule.postponed.add(delivery.id)
        // If this fails, the delivery stays due and is sent immediately.
        await postpone(context, rule.delay).catch(() => undefined)
        return undefined
      }
      if (isLost) return lostOutcome
      const request = isForged ? withForgedSignature(context, at - rule.age) : buildRequest(delivery, at - rule.age)
      const sendRequest = () => send(request)
      if (rule.shuffle === 0) return sendTimes(sendRequest, copies + 1)
      return shuffle({ subscriptionId, maxDeliveries: rule.shuffle, ranks, send: sendRequest })
    },
    add(input) {
      count += 1
      const rule = createRule(input, count)
      countFault(coverage, rule.name, 0)
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
    states: () => [...rules].map(copyRule),
    adopt(states) {
      for (const state of states) rules.add(copyRule(state))
      count = Math.max(count, ...states.map(({ number }) => number))
    },
  }
}

function createRule(input: DeliveryFault, number: number): ActiveFaultRule {
  const sets = { delayed: new Set<number>(), postponed: new Set<number>() }
  return { ...checkDeliveryFault(input), ...sets, name: `deliveries ${JSON.stringify(input)}`, number, hits: 0 }
}

const copyRule = (rule: ActiveFaultRule): ActiveFaultRule => ({
  ...rule,
  delayed: new Set(rule.delayed),
  postponed: new Set(rule.postponed),
})

const lostOutcome: Outcome = {
  kind: 'ok',
  status: null,
  error: null,
  response: 'Lost on purpose: server.webhooks.deliveryFaults.add({ drop })',
  ip: null,
  durationMs: 0,
  retryAfter: undefined,
  directive: undefined,
}

/** Well-formed signatures of a different body. */
function withForgedSignature({ buildRequest, delivery }: SendContext, at: number): OutgoingRequest {
  const { headers } = buildRequest({ ...delivery, body: `${delivery.body} ` }, at)
  return { ...buildRequest(delivery, at), headers }
}

/** Sends the request and its copies. The last response counts, as if the earlier ones were lost. */
async function sendTimes(send: () => Promise<Outcome>, times: number): Promise<Outcome> {
  for (let sent = 1; sent < times; sent += 1) await send()
  return send()
}

/** A delivery with its copies. */
interface ShuffledDelivery {
  /** One rank per request; requests are sent in rank order. */
  readonly ranks: readonly number[]
  send(): Promise<Outcome>
  resolve(outcome: Promise<Outcome>): void
}

interface ShuffleGroup {
  readonly deliveries: ShuffledDelivery[]
  readonly timer: ReturnType<typeof setTimeout>
}

interface ShuffleOptions extends Pick<ShuffledDelivery, 'ranks' | 'send'> {
  readonly subscriptionId: number
  /** The group is sent when it has this number of deliveries. */
  readonly maxDeliveries: number
}

/** Long enough for a test to make several changes. */
const shuffleWindowMs = 50

/** Collects concurrent deliveries to a subscription and sends them sequentially in another order. */
function createShuffler() {
  const groups = new Map<number, ShuffleGroup>()

  async function release(subscriptionId: number): Promise<void> {
    const gathering = groups.get(subscriptionId)
    if (gathering === undefined) return
    groups.delete(subscriptionId)
    clearTimeout(gathering.timer)
    const order = reorder(gathering.deliveries)
    for (const [index, delivery] of order.entries()) {
      const sending = delivery.send()
      if (order.lastIndexOf(delivery) === index) delivery.resolve(sending)
      await sending.catch(() => undefined)
    }
  }

  return ({ subscriptionId, maxDeliveries, ranks, send }: ShuffleOptions): Promise<Outcome> => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const gathering = groups.get(subscriptionId) ?? {
      deliveries: [],
      timer: setTimeout(() => void release(subscriptionId), shuffleWindowMs),
    }
    groups.set(subscriptionId, gathering)
    gathering.deliveries.push({ ranks, send, resolve })
    if (gathering.deliveries.length >= maxDeliveries) void release(subscriptionId)
    return promise
  }
}

/** All requests by rank. If the result equals the original order, it is reversed. */
function reorder(deliveries: readonly ShuffledDelivery[]): ShuffledDelivery[] {
  const requests = deliveries.flatMap((delivery) => delivery.ranks.map((rank) => ({ delivery, rank })))
  const sorted = requests.toSorted((a, b) => a.rank - b.rank).map(({ delivery }) => delivery)
  return sorted.every((delivery, index) => delivery === requests[index]?.delivery) ? sorted.reverse() : sorted
}
