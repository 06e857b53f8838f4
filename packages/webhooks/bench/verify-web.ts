/**
 * `verify.ts` for runtimes that have WebCrypto only, run on Node. The floor has its key imported once and decodes hex
 * with a Buffer. WebCrypto works in threads of its own, so the CPU time is that of the whole process.
 *
 * Run it with `node packages/webhooks/bench/verify-web.ts [rounds]`.
 */
import Stripe from 'stripe'
import { importWebBuild } from '../test/web-build.ts'
import { type Contest, run } from './contest.ts'
import { bytes, headers, hex, secret, stripeHeader, text } from './delivery.ts'
import { print } from './print.ts'

const { verify } = await importWebBuild()
// What a bundler takes for browsers; Node's own resolution never would.
const { verify: octokitVerify }: typeof import('@octokit/webhooks-methods') = await import(
  String(new URL('../dist-web/index.js', import.meta.resolve('@octokit/webhooks-methods')))
)
const stripeCrypto = Stripe.createSubtleCryptoProvider()

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
const decoder = new TextDecoder()

async function floor(): Promise<unknown> {
  const given = Buffer.from(hex, 'hex')
  if (!(await crypto.subtle.verify('HMAC', key, given, bytes))) throw new Error('no match')
  return JSON.parse(decoder.decode(bytes))
}

const contest: Contest = {
  rounds: Number(process.argv[2] ?? 11),
  callsPerRound: 20_000,
  cpuTime: process.cpuUsage,
  contestants: {
    'floor, bytes': floor,
    'ours, verify, bytes': () => verify({ body: bytes, headers, secret }),
    'ours, verify, string': () => verify({ body: text, headers, secret }),
    'octokit + parse, string': async () => (await octokitVerify(secret, text, `sha256=${hex}`)) && JSON.parse(text),
    'stripe, bytes': () => Stripe.webhooks.constructEventAsync(bytes, stripeHeader, secret, 300, stripeCrypto),
  },
}

print(`Node ${process.versions.node}, ${bytes.length} bytes, ${contest.rounds} rounds of ${contest.callsPerRound}`)
await run(contest, [
  { faster: 'ours, verify, bytes', than: 'floor, bytes', asked: 0.95 },
  { faster: 'ours, verify, bytes', than: 'octokit + parse, string', asked: 2 },
  { faster: 'ours, verify, bytes', than: 'stripe, bytes', asked: 2 },
])
