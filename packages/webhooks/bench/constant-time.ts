/**
 * Does the time of verifying tell how much of a signature was guessed? Two classes of wrong signatures take turns at
 * random: one has the first 31 of 32 bytes right, the other is random. Welch's t-test compares their times (the method of
 * dudect: https://eprint.iacr.org/2016/1123); below 10 there is no leak that a million samples could show.
 *
 * Run it with `node packages/webhooks/bench/constant-time.ts [samples]`.
 */
import { randomBytes } from 'node:crypto'
import { signSync, verifySync } from '../src/index.ts'
import { print } from './print.ts'

const samples = Number(process.argv[2] ?? 1_000_000)
const secret = 'a secret of a subscription'
// Drawn before anything is timed, so that making them is in no measurement. Each delivery has a body of its own: were it
// one, the first class would be one text again and again, which the branch predictor learns, and which is no secret.
const poolSize = 4096

interface Delivery {
  readonly body: Buffer
  readonly headers: { readonly 'x-service-signature': string }
}

/** Both classes are made by the same steps, as the shape of a string in memory shows in the time, too. */
const pool = (guess: (body: Buffer) => Buffer): Delivery[] =>
  Array.from({ length: poolSize }, () => {
    const body = Buffer.from(`{"event":"task.created","salt":"${randomBytes(16).toString('hex')}"}`)
    return { body, headers: { 'x-service-signature': guess(body).toString('hex') } }
  })

function wrongAtTheEnd(body: Buffer): Buffer {
  const mac = Buffer.from(signSync({ body, secret }), 'hex')
  mac.writeUInt8(mac.readUInt8(31) ^ (1 + (randomBytes(1).readUInt8() % 255)), 31)
  return mac
}

const pools = [pool(wrongAtTheEnd), pool(() => randomBytes(32))] as const

function timeOf({ body, headers }: Delivery): number {
  const startedAt = process.hrtime.bigint()
  try {
    verifySync({ body, headers, secret })
  } catch {
    return Number(process.hrtime.bigint() - startedAt)
  }
  throw new Error('a wrong signature was accepted')
}

/** Mean and variance in one pass (Welford). */
const moments = () => ({ count: 0, mean: 0, squares: 0 })
type Moments = ReturnType<typeof moments>

function add(to: Moments, value: number): void {
  to.count++
  const distance = value - to.mean
  to.mean += distance / to.count
  to.squares += distance * (value - to.mean)
}

function welch(a: Moments, b: Moments): number {
  const spread = ({ squares, count }: Moments) => squares / (count - 1) / count
  return (a.mean - b.mean) / Math.sqrt(spread(a) + spread(b))
}

/** Above this a sample was interrupted; dudect crops so, too. Found before, and the same for both classes. */
function findCrop(): number {
  const times = Array.from({ length: 50_000 }, (_none, index) => timeOf(deliveryOf(index % 2, index)))
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY
}

function deliveryOf(kind: number, index: number): Delivery {
  const delivery = pools[kind === 0 ? 0 : 1][index % poolSize]
  if (!delivery) throw new RangeError('the pool is empty')
  return delivery
}

const classes = [moments(), moments()] as const
const coins = randomBytes(samples)
const crop = findCrop()
for (let index = 0; index < samples; index++) {
  const kind = (coins[index] ?? 0) & 1
  const time = timeOf(deliveryOf(kind, index))
  if (time <= crop) add(classes[kind === 0 ? 0 : 1], time)
}

const [nearly, random] = classes
const t = welch(nearly, random)
print(`${samples} samples, ${nearly.count + random.count} below ${crop} ns`)
print(`31 of 32 bytes right: ${nearly.mean.toFixed(1)} ns, random: ${random.mean.toFixed(1)} ns, t = ${t.toFixed(2)}`)
if (!(Math.abs(t) < 10)) process.exitCode = 1
