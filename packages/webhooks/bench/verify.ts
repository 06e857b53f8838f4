/**
 * How fast a delivery is verified and parsed, beside the floor (the shortest correct code with node:crypto) and other
 * libraries, in CPU time of this thread.
 *
 * Run it with `node packages/webhooks/bench/verify.ts [rounds]`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { verify as octokitVerify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { verify, verifySync } from '../src/index.ts'
import { type Contest, run } from './contest.ts'
import { bytes, headers, hex, secret, standardHeaders, standardSecret, stripeHeader, text } from './delivery.ts'
import { print } from './print.ts'

const standardWebhook = new StandardWebhook(standardSecret)

function floor(body: string | Buffer): unknown {
  const mac = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(hex, 'hex')
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw new Error('no match')
  return JSON.parse(body.toString())
}

const contest: Contest = {
  rounds: Number(process.argv[2] ?? 11),
  callsPerRound: 40_000,
  cpuTime: process.threadCpuUsage,
  contestants: {
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
  },
}

print(`Node ${process.versions.node}, ${bytes.length} bytes, ${contest.rounds} rounds of ${contest.callsPerRound}`)
await run(contest, [
  { faster: 'ours, verifySync, bytes', than: 'floor, bytes', asked: 1.25 },
  { faster: 'ours, verifySync, bytes', than: 'stripe, bytes', asked: 1.6 },
  { faster: 'ours, verifySync, bytes', than: 'standardwebhooks, bytes', asked: 3 },
])
