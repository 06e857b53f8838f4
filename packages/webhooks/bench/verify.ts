/**
 * How fast a delivery is verified and parsed, beside the floor (the shortest correct code with node:crypto) and other
 * libraries. Time is CPU time of this thread, as wall time says more about the neighbours. All take turns in each round,
 * and ratios are paired inside a round, so that a slow second slows them all.
 *
 * Run it with `node packages/webhooks/bench/verify.ts [rounds]`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { verify as octokitVerify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { signSync, verify, verifySync } from '../src/index.ts'
import { fixtures } from '../src/testing.ts'
import { print } from './print.ts'

const rounds = Number(process.argv[2] ?? 11)
// Some kernels count CPU time in steps of 4 ms, so a round has to be long.
const callsPerRound = 40_000
const secret = 'a secret of a subscription, 32+ characters'
const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const ticket = { ...fixtures['ticket.created'].ticket, title: `Zażółć gęślą jaźń – ${'the printer hums '.repeat(23)}` }
const text = JSON.stringify({ ...fixtures['ticket.created'], ticket })
const bytes = Buffer.from(text)
const hex = signSync({ body: bytes, secret })
const id = 'msg_1'
const timestampSeconds = Math.floor(Date.now() / 1000)

/** What Node has after a delivery came through a proxy. */
const common = {
  host: 'receiver.example',
  'user-agent': 'service-webhooks/1.0',
  'content-length': String(bytes.length),
  accept: '*/*',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'https',
  'content-type': 'application/json',
}
const headers = {
  ...common,
  'x-service-event': 'ticket.created',
  'x-service-signature': hex,
  'x-service-delivery': '6f1c1a3e-4e34-4f5c-9d0f-0a7a3a1f3a55',
  'x-service-attempt': '1',
}
const standardHeaders = {
  ...common,
  'webhook-id': id,
  'webhook-timestamp': String(timestampSeconds),
  'webhook-signature': signSync({ body: bytes, secret: standardSecret, standard: { id, timestampSeconds } }),
}
const stripeHeader = Stripe.webhooks.generateTestHeaderString({ payload: text, secret })
const standardWebhook = new StandardWebhook(standardSecret)

function floor(body: string | Buffer): unknown {
  const mac = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(hex, 'hex')
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw new Error('no match')
  return JSON.parse(body.toString())
}

const contestants: Record<string, () => unknown> = {
  'floor, bytes': () => floor(bytes),
  'floor, string': () => floor(text),
  'ours, verifySync, bytes': () => verifySync({ body: bytes, headers, secret }),
  'ours, verifySync, string': () => verifySync({ body: text, headers, secret }),
  'ours, verify, bytes': () => verify({ body: bytes, headers, secret }),
  'ours, verifySync, Standard Webhooks': () =>
    verifySync({ body: bytes, headers: standardHeaders, secret: standardSecret }),
  'octokit + parse, string': async () => (await octokitVerify(secret, text, `sha256=${hex}`)) && JSON.parse(text),
  'stripe, bytes': () => Stripe.webhooks.constructEvent(bytes, stripeHeader, secret),
  'stripe, string': () => Stripe.webhooks.constructEvent(text, stripeHeader, secret),
  'standardwebhooks, bytes': () => standardWebhook.verify(bytes, standardHeaders),
  'standardwebhooks, string': () => standardWebhook.verify(text, standardHeaders),
}

async function cpuMicrosecondsPerCall(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  for (let call = 0; call < callsPerRound; call++) {
    const result = run()
    if (result instanceof Promise) await result
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / callsPerRound
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

const times = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]))
for (let round = -2; round < rounds; round++) {
  // Each round begins with another, as the first pays for the garbage of the last.
  const order = Object.entries(contestants)
  order.push(...order.splice(0, (round + 2) % order.length))
  for (const [name, run] of order) {
    const time = await cpuMicrosecondsPerCall(run)
    // The first rounds warm up.
    if (round >= 0) times.get(name)?.push(time)
  }
}

const ratioTo = (name: string, base: string) => {
  const baseTimes = times.get(base) ?? []
  return quantile(
    (times.get(name) ?? []).map((time, round) => (baseTimes[round] ?? Number.NaN) / time),
    0.5,
  )
}

print(`Node ${process.versions.node}, ${bytes.length} bytes, ${rounds} rounds of ${callsPerRound}`)
for (const [name, values] of times) {
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share).toFixed(2))
  print(`${name.padEnd(38)} ${median} µs (${low}–${high})  ${ratioTo(name, 'floor, bytes').toFixed(2)} × floor`)
}
for (const [name, base, target] of [
  ['ours, verifySync, bytes', 'floor, bytes', 1.25],
  ['ours, verifySync, bytes', 'stripe, bytes', 1.6],
  ['ours, verifySync, bytes', 'standardwebhooks, bytes', 3],
] as const) {
  const ratio = ratioTo(name, base)
  print(`${name} / ${base}: ${ratio.toFixed(2)} (asked: ${target})`)
  if (!(ratio >= target)) process.exitCode = 1
}
