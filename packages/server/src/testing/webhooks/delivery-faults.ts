import { clearTimeout, setTimeout } from '../../core/clock.ts'
import type { Outcome } from '../../delivery/dispatch/outcome.ts'
import type { OutgoingRequest } from '../../delivery/dispatch/request.ts'
import type { SendContext, SendInterceptor } from '../../delivery/dispatch/send.ts'
import { isMeant } from './captured-event.ts'
import {
  type ActiveFaultRule,
  checkDeliveryFault,
  type DeliveryFault,
  type DeliveryPlan,
  planOf,
} from './delivery-fault-rule.ts'

/** A delivery fault that was asked for. */
export interface ActiveDeliveryFault {
  /** How many requests it has struck. */
  readonly hits: number
  remove(): void
  [Symbol.dispose](): void
}

export interface DeliveryFaults {
  add(rule: DeliveryFault): ActiveDeliveryFault
  readonly interceptSend: SendInterceptor
  clear(): void
}

export interface DeliveryFaultOptions {
  /** The same seed gives the same faults to the same deliveries, in whatever order they are sent. */
  readonly seed: string
  postpone(context: SendContext, by: number): Promise<unknown>
}

export function createDeliveryFaults({ seed, postpone }: DeliveryFaultOptions): DeliveryFaults {
  const rules = new Set<ActiveFaultRule>()
  const shuffler = createShuffler()
  let count = 0

  /** Of the first rule that strikes it; what comes back after a delay is struck by the rest of the same. */
  function planFor(context: SendContext): DeliveryPlan | undefined {
    const { id, name } = context.delivery
    for (const rule of rules) {
      const isBack = rule.away.delete(id)
      const isMeantNow = rule.hits < rule.times && isMeant(rule.patterns, name)
      const plan = isBack || isMeantNow ? planOf(rule, context, seed) : undefined
      if (plan === undefined) continue
      if (!isBack) rule.hits += 1
      return plan
    }
    return undefined
  }

  const disturb: SendInterceptor = async (context, send) => {
    const { buildRequest, delivery, at } = context
    const plan = planFor(context)
    if (plan === undefined) return send(buildRequest(delivery, at))
    const { rule, isLate, isLost, isForged, copies, ranks } = plan
    if (isLate) {
      rule.delayed.add(delivery.id)
      rule.away.add(delivery.id)
      // Where that fails it is still due, and comes back at once.
      await postpone(context, rule.delay).catch(() => undefined)
      return undefined
    }
    if (isLost) return lost
    const request = isForged ? forge(context, at - rule.age) : buildRequest(delivery, at - rule.age)
    if (rule.shuffle === 0) return sendTimes(request, send, copies + 1)
    return shuffler.pass(() => send(request), { subscriptionId: context.subscriptionId, most: rule.shuffle, ranks })
  }

  return {
    interceptSend: (context, send) =>
      rules.size === 0 ? send(context.buildRequest(context.delivery, context.at)) : disturb(context, send),
    add(given) {
      count += 1
      const rule: ActiveFaultRule = {
        ...checkDeliveryFault(given),
        number: count,
        hits: 0,
        delayed: new Set(),
        away: new Set(),
      }
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
  response: 'Lost on purpose: server.webhooks.deliveryFaults.add({ drop })',
  ip: null,
  durationMs: 0,
  retryAfter: undefined,
  directive: undefined,
}

/** The signatures are well formed, but those of another body. */
function forge({ buildRequest, delivery }: SendContext, at: number): OutgoingRequest {
  const { headers } = buildRequest({ ...delivery, body: `${delivery.body} ` }, at)
  return { ...buildRequest(delivery, at), headers }
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

/** Has the deliveries that come together go in another order, one request after the other. */
interface Shuffler {
  /** Sends once for each rank. The last answer is the one that counts, as above. */
  pass(send: () => Promise<Outcome>, place: ShuffleSlot): Promise<Outcome>
}

interface ShuffleSlot {
  readonly subscriptionId: number
  /** As soon as so many deliveries are there, they go. */
  readonly most: number
  /** Requests go in the order of their ranks. */
  readonly ranks: readonly number[]
}

/** One delivery, with its copies. */
interface Waiting {
  readonly ranks: readonly number[]
  readonly send: () => Promise<Outcome>
  readonly resolve: (outcome: Promise<Outcome>) => void
}

interface Gathering {
  readonly waiting: Waiting[]
  readonly timer: ReturnType<typeof setTimeout>
}

/** Long enough for a test to make a few changes one after the other. */
const gatherMs = 50

function createShuffler(): Shuffler {
  const gatherings = new Map<number, Gathering>()

  async function release(subscriptionId: number): Promise<void> {
    const gathering = gatherings.get(subscriptionId)
    if (gathering === undefined) return
    gatherings.delete(subscriptionId)
    clearTimeout(gathering.timer)
    const order = reordered(gathering.waiting)
    for (const [index, delivery] of order.entries()) {
      const sending = delivery.send()
      if (order.lastIndexOf(delivery) === index) delivery.resolve(sending)
      await sending.catch(() => undefined)
    }
  }

  return {
    pass: (send, { subscriptionId, most, ranks }) =>
      new Promise((resolve) => {
        const gathering = gatherings.get(subscriptionId) ?? {
          waiting: [],
          timer: setTimeout(() => void release(subscriptionId), gatherMs),
        }
        gatherings.set(subscriptionId, gathering)
        gathering.waiting.push({ ranks, send, resolve })
        if (gathering.waiting.length >= most) void release(subscriptionId)
      }),
  }
}

/**
 * Each delivery once for each of its requests, by rank. Whoever asks for another order gets one: where chance would leave
 * it as it was, it is turned round.
 */
function reordered(waiting: readonly Waiting[]): Waiting[] {
  const requests = waiting.flatMap((delivery) => delivery.ranks.map((rank) => ({ delivery, rank })))
  const sorted = requests.toSorted((one, other) => one.rank - other.rank).map(({ delivery }) => delivery)
  return sorted.every((delivery, index) => delivery === requests[index]?.delivery) ? sorted.reverse() : sorted
}
