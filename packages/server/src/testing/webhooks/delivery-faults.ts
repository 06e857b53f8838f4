import { clearTimeout, setTimeout } from '../../core/clock.ts'
import type { OutgoingRequest } from '../../delivery/queues/request.ts'
import type { Outcome } from '../../delivery/worker/outcome.ts'
import type { SendContext, SendInterceptor } from '../../delivery/worker/send.ts'
import { countFault, type TestCoverage } from '../test-coverage.ts'
import { matchesAny } from './captured-event.ts'
import {
  type ActiveFaultRule,
  checkDeliveryFault,
  createPlan,
  type DeliveryFault,
  type Plan,
} from './delivery-fault-rule.ts'

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
  /** Forgets which deliveries were delayed, because others may get their ids. */
  forgetDeliveries(): void
  /** The faults that were added to this server, without those of the server from which it was forked. */
  listOwn(): readonly ActiveFaultRule[]
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
  const adopted = new WeakSet<ActiveFaultRule>()
  const shuffle = createShuffler()
  let count = 0

  /** The plan of the first matching rule. After a delay, the rest of the same rule applies. */
  function planFor(context: SendContext) {
    const { id, name } = context.delivery
    for (const rule of rules) {
      const isResent = rule.postponed.delete(id)
      const applies = isResent || (rule.hits + rule.collected < rule.times && matchesAny(rule.patterns, name))
      const plan = applies ? createPlan(rule, context, seed) : undefined
      if (plan !== undefined) return { ...plan, isCollected: !isResent && countPlan(plan, coverage) }
    }
    return undefined
  }

  return {
    async interceptSend(context, send) {
      const { buildRequest, delivery, at, subscriptionId } = context
      const plan = planFor(context)
      if (plan === undefined) return send(buildRequest(delivery, at))
      const { rule, isLate, isLost, isForged, isCollected, age, copies, ranks } = plan
      if (isLate) {
        for (const ids of [rule.delayed, rule.postponed]) ids.add(delivery.id)
        // If this fails, the delivery stays due and is sent immediately.
        await postpone(context, rule.delay).catch(() => undefined)
        return undefined
      }
      if (isLost) return lostOutcome
      const request = isForged ? withForgedSignature(context, at - age) : buildRequest(delivery, at - age)
      const sendRequest = () => send(request)
      if (rule.shuffle === 0) return sendTimes(sendRequest, copies + 1)
      const noteOrder = (hasMoved: boolean) => isCollected && countCollected({ rule, hasMoved, coverage })
      return shuffle({ subscriptionId, maxDeliveries: rule.shuffle, ranks, send: sendRequest, noteOrder })
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
    forgetDeliveries: () => rules.forEach(forgetDeliveries),
    listOwn: () => [...rules].filter((rule) => !adopted.has(rule)),
    states: () => [...rules].map(copyRule),
    adopt(states) {
      for (const rule of states.map(copyRule)) {
        rules.add(rule)
        adopted.add(rule)
      }
      count = Math.max(count, ...states.map(({ number }) => number))
    },
  }
}

/** Returns whether it is known only after the shuffle that the fault affects the delivery. */
function countPlan({ rule, changesRequest }: Plan, coverage: TestCoverage): boolean {
  if (changesRequest) countHit(rule, coverage)
  else rule.collected += 1
  return !changesRequest
}

interface Collected {
  readonly rule: ActiveFaultRule
  readonly hasMoved: boolean
  readonly coverage: TestCoverage
}

function countCollected({ rule, hasMoved, coverage }: Collected): void {
  rule.collected -= 1
  if (hasMoved) countHit(rule, coverage)
}

function countHit(rule: ActiveFaultRule, coverage: TestCoverage): void {
  rule.hits += 1
  countFault(coverage, rule.name, 1)
}

function createRule(input: DeliveryFault, number: number): ActiveFaultRule {
  const sets = { delayed: new Set<number>(), postponed: new Set<number>() }
  return {
    ...checkDeliveryFault(input),
    ...sets,
    name: `deliveries ${JSON.stringify(input)}`,
    number,
    hits: 0,
    collected: 0,
  }
}

const copyRule = (rule: ActiveFaultRule): ActiveFaultRule => ({
  ...rule,
  delayed: new Set(rule.delayed),
  postponed: new Set(rule.postponed),
})

function forgetDeliveries({ delayed, postponed }: ActiveFaultRule): void {
  for (const ids of [delayed, postponed]) ids.clear()
}

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
  /** Called before the group is sent. */
  noteOrder(hasMoved: boolean): unknown
  resolve(outcome: Promise<Outcome>): void
}

interface ShuffleGroup {
  readonly deliveries: ShuffledDelivery[]
  readonly timer: ReturnType<typeof setTimeout>
}

interface ShuffleOptions extends Pick<ShuffledDelivery, 'ranks' | 'send' | 'noteOrder'> {
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
    const requests = gathering.deliveries.flatMap((delivery) => delivery.ranks.map((rank) => ({ delivery, rank })))
    const order = reorder(requests)
    for (const delivery of gathering.deliveries)
      delivery.noteOrder(requests.some((request, index) => request.delivery === delivery && order[index] !== delivery))
    for (const [index, delivery] of order.entries()) {
      const sending = delivery.send()
      if (order.lastIndexOf(delivery) === index) delivery.resolve(sending)
      await sending.catch(() => undefined)
    }
  }

  return ({ subscriptionId, maxDeliveries, ...given }: ShuffleOptions): Promise<Outcome> => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const gathering = groups.get(subscriptionId) ?? {
      deliveries: [],
      timer: setTimeout(() => void release(subscriptionId), shuffleWindowMs),
    }
    groups.set(subscriptionId, gathering)
    gathering.deliveries.push({ ...given, resolve })
    if (gathering.deliveries.length >= maxDeliveries) void release(subscriptionId)
    return promise
  }
}

interface RankedRequest {
  readonly delivery: ShuffledDelivery
  readonly rank: number
}

/** All requests by rank. If the result equals the original order, it is reversed. */
function reorder(requests: readonly RankedRequest[]): ShuffledDelivery[] {
  const sorted = requests.toSorted((a, b) => a.rank - b.rank).map(({ delivery }) => delivery)
  return sorted.every((delivery, index) => delivery === requests[index]?.delivery) ? sorted.reverse() : sorted
}
