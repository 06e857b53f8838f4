import { once } from 'node:events'
import { type Agent, request } from 'node:http'
import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { writeSections } from '../../../bench/results-file.ts'
import { type LoadOf, offer } from './offered-load.ts'
import { measuredOn, percentile, resultsFile, table } from './results.ts'
import { type Served, serve } from './served.ts'

const help = `Fills a server with half-sent, huge and many bodies, and offers it twice what it can do.

Usage: node packages/server/proof/memory.ts [memory|stalls|overload] [--seconds 8] [--results <file>]

Without a part it is all of them. Each runs against a process of its own, over loopback. The tables are put into
bench/RESULTS.md. It exits with 1 when a figure is missed.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '8' },
    results: { type: 'string', default: resultsFile },
    help: { type: 'boolean', default: false },
  },
})

const mebibyte = 1024 * 1024
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

interface Answered {
  readonly status: number
  readonly ms: number
}

interface Posting {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

/** A POST, on a connection of its own unless an agent keeps some. */
function post(served: Served, { path, headers, body }: Posting, agent: Agent | false = false): Promise<Answered> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const finish = (status: number) => resolve({ status, ms: performance.now() - startedAt })
    const sending = request({
      ...{ port: served.port, path, method: 'POST', agent },
      headers: { 'content-type': 'application/json', 'content-length': String(body.length), ...headers },
    })
    sending.on('response', (response) => {
      response.resume().on('end', () => finish(response.statusCode ?? 0))
      response.on('error', () => finish(-1))
    })
    sending.on('error', () => finish(-1))
    sending.end(body)
  })
}

const errorsPath = ({ workspace }: Served) => `/api/webhooks/${workspace}/errors`
const errorHeaders = ({ errorSecret }: Served) => ({ 'x-service-webhook-secret': errorSecret })
const gitPath = ({ workspace }: Served) => `/api/webhooks/${workspace}/github`

/** Asks /livez all the time, in a thread of its own, until it is told to stop; resolves to how long each answer took. */
async function pingDuring({ port }: Served): Promise<() => Promise<number[]>> {
  const thread = new Worker(new URL('./pinger.ts', import.meta.url), { workerData: port })
  await once(thread, 'message')
  return async () => {
    thread.postMessage('stop')
    const [took] = await once(thread, 'message')
    return took
  }
}

interface Figure {
  readonly what: string
  readonly measured: string
  readonly wanted: string
  readonly isMet: boolean
}

async function halfSent(): Promise<Figure[]> {
  const served = await serve()
  const sockets = Array.from({ length: 80 }, () => {
    const socket = connect(served.port, '127.0.0.1')
      .on('error', () => undefined)
      .resume()
    const head = `POST ${gitPath(served)} HTTP/1.1\r\nhost: localhost\r\nx-github-event: push\r\ncontent-length: ${25 * mebibyte}\r\n\r\n`
    socket.write(head)
    socket.write(Buffer.alloc(24 * mebibyte, 0x20))
    return socket
  })
  const pings = await pingDuring(served)
  await pause(4000)
  const slowest = Math.max(...(await pings()))
  const peak = served.memoryMb('peak')
  for (const socket of sockets) socket.destroy()
  await served.stop()
  return [
    figure('80 half-sent bodies of 25 MiB from one address: RSS', peak, [300, 'MB']),
    { what: 'the slowest /livez meanwhile', measured: `${slowest.toFixed(0)} ms`, wanted: '', isMet: true },
  ]
}

const figure = (what: string, measured: number, [most, unit]: readonly [number, string]): Figure => ({
  what,
  measured: `${Math.round(measured)} ${unit}`,
  wanted: `≤ ${most} ${unit}`,
  isMet: measured <= most,
})

async function emptyObjects(): Promise<Figure[]> {
  const served = await serve()
  const body = Buffer.from(`{"commits":[${'{},'.repeat(8_000_000)}{}]}`)
  const { status } = await post(served, { path: gitPath(served), headers: { 'x-github-event': 'push' }, body })
  const peak = served.memoryMb('peak')
  await served.stop()
  return [
    {
      what: 'one body of 24 MB of empty objects: status',
      measured: String(status),
      wanted: '422',
      isMet: status === 422,
    },
    figure('the same: RSS', peak, [300, 'MB']),
  ]
}

async function manyBodies(): Promise<Figure[]> {
  const served = await serve()
  const body = Buffer.from(JSON.stringify({ message: 'Broken', exception: 'E', context: 'x'.repeat(500_000) }))
  const pings = await pingDuring(served)
  const startedAt = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 1500 }, () => post(served, { path: errorsPath(served), headers: errorHeaders(served), body })),
  )
  const ms = performance.now() - startedAt
  const took = await pings()
  const peak = served.memoryMb('peak')
  await served.stop()
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  const [taken, refused] = [count(200), count(503)]
  const others = new Set(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503))
  for (const status of others) process.stderr.write(`status ${status}: ${count(status)}\n`)
  return [
    figure('1,500 error bodies of 500 kB at once: RSS', peak, [500, 'MB']),
    {
      what: 'the same: 200 / 503 / neither',
      measured: `${taken} / ${refused} / ${1500 - taken - refused}`,
      wanted: 'neither: 0',
      isMet: taken + refused === 1500,
    },
    { what: 'the same: until the last answer', measured: `${Math.round(ms)} ms`, wanted: '', isMet: true },
    { what: 'the slowest /livez meanwhile', measured: `${Math.max(...took).toFixed(0)} ms`, wanted: '', isMet: true },
  ]
}

const report = (index: number) => ({
  message: `Broken in ${index.toString(36)}`,
  exception: `App.Error${String.fromCharCode(65 + (index % 26))}`,
  file: `src/file${String.fromCharCode(97 + (index % 26))}${index % 40}.ts`,
  stack: `Error: x\n${'    at work (/app/src/work.ts:1:3)\n'.repeat(25)}`,
})

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

/** Bodies at their limits, in the ways in which they are made dear. */
function largestBodies(served: Served) {
  const commits = Array.from({ length: 2048 }, (_, index) => ({
    id: index.toString(16).padStart(40, '0'),
    message: `Fix ${index}\n\n${'x'.repeat(12_000)}`,
    author: { name: 'Ada', email: 'ada@example.com' },
  }))
  const push = {
    ref: 'refs/heads/main',
    repository: { id: 7, full_name: 'acme/shop' },
    pusher: { name: 'ada' },
    commits,
  }
  const texts = Array.from({ length: 59_000 }, () => 'a'.repeat(60))
  const errors = { path: errorsPath(served), headers: errorHeaders(served) }
  const packed = { ...errors, headers: { ...errors.headers, 'content-encoding': 'gzip' } }
  return [
    { what: '1,000 error reports, 1 MB', ...errors, body: json(Array.from({ length: 1000 }, (_, at) => report(at))) },
    {
      what: 'one error report with a message of 1 MB',
      ...errors,
      body: json({ message: 'lorem ipsum '.repeat(87_000) }),
    },
    {
      what: 'one error report with a stack of 1 MB',
      ...errors,
      body: json({ message: 'x', stack: `Error: x\n${'    at work (/app/src/work.ts:1:3)\n'.repeat(29_000)}` }),
    },
    { what: 'an error report of 59,000 values, packed', ...packed, body: gzipSync(json({ message: 'x', texts })) },
    {
      what: 'a GitHub push of 2,048 commits, 25 MB',
      path: gitPath(served),
      headers: { 'x-github-event': 'push' },
      body: json(push),
    },
    {
      what: 'a website lead of 1 MB',
      path: `/api/webhooks/${served.workspace}/leads/website`,
      headers: { 'x-service-webhook-secret': served.leadSecret },
      body: json({ email: 'ada@example.com', message: 'x '.repeat(500_000) }),
    },
    {
      what: 'a punch of 1 MB',
      path: `/api/webhooks/${served.workspace}/attendance`,
      headers: { 'x-service-webhook-secret': served.attendanceSecret },
      body: json({ note: 'x '.repeat(500_000) }),
    },
  ]
}

async function stalls(): Promise<Figure[]> {
  const served = await serve()
  await Promise.all(largestBodies(served).map((posting) => post(served, posting)))
  const figures: Figure[] = []
  for (const { what, ...posting } of largestBodies(served)) {
    const stalls: number[] = []
    const turns: number[] = []
    let status = 0
    for (let round = 0; round < 5; round += 1) {
      const pings = await pingDuring(served)
      await served.longestTurnMs()
      status = (await post(served, posting)).status
      stalls.push(Math.max(...(await pings())))
      turns.push(await served.longestTurnMs())
      await pause(100)
    }
    const median = figure(`${what} (${status})`, percentile(stalls, 0.5), [50, 'ms'])
    const rounds = (values: readonly number[]) => values.map((ms) => ms.toFixed(0)).join(', ')
    const cpu = `CPU of the longest turn ${percentile(turns, 0.5).toFixed(0)} ms (${rounds(turns)})`
    figures.push({ ...median, measured: `${median.measured} (${rounds(stalls)}); ${cpu}` })
  }
  await served.stop()
  return figures
}

const ticketRequests = ({ port, workspace, token }: Served): LoadOf => ({
  port,
  path: `/api/v1/workspaces/${workspace}/tickets`,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ title: 'Overload', description: 'x'.repeat(500), tags: ['a', 'b', 'c'] }),
})

/** What the server does when 32 clients ask as fast as they are answered: the median of three measurements. */
async function sustainableRate(served: Served, seconds: number): Promise<number> {
  const rates: number[] = []
  for (let measurement = 0; measurement < 3; measurement += 1) {
    const { answers, tookSeconds } = await offer({ ...ticketRequests(served), clients: 32, seconds })
    rates.push(answers.filter(({ status }) => status === 201).length / tookSeconds)
  }
  return Math.round(percentile(rates, 0.5))
}

interface Overload {
  readonly load: string
  readonly cells: readonly string[]
  readonly p99: number
}

async function overload(seconds: number): Promise<{ lines: Overload[]; capacity: number }> {
  const measuring = await serve()
  await sustainableRate(measuring, 1)
  const capacity = await sustainableRate(measuring, 3)
  await measuring.stop()
  const lines: Overload[] = []
  for (const [factor, sheds] of [
    [0.5, true],
    [1, true],
    [2, true],
    [2, false],
  ] as const) {
    const served = await serve({ SERVICE_LOAD_SHEDDING: String(sheds) })
    await sustainableRate(served, 1)
    const before = served.memoryMb('now')
    const pings = await pingDuring(served)
    const { answers, tookSeconds } = await offer({
      ...ticketRequests(served),
      perSecond: Math.round(capacity * factor),
      seconds,
    })
    const health = await pings()
    const accepted = answers.filter(({ status }) => status === 201).map(({ ms }) => ms)
    const refused = answers.filter(({ status }) => status === 503).length
    const p99 = percentile(accepted, 0.99)
    lines.push({
      load: `${factor} ×${sheds ? '' : ', nothing refused'}`,
      cells: [
        `${Math.round(accepted.length / tookSeconds)}/s`,
        `${refused}`,
        `${answers.length - accepted.length - refused}`,
        `${percentile(accepted, 0.5).toFixed(0)} / ${p99.toFixed(0)} ms`,
        `${percentile(health, 0.99).toFixed(0)} ms`,
        `${before} → ${served.memoryMb('peak')} MB`,
      ],
      p99: sheds ? p99 : 0,
    })
    process.stderr.write(`overload ${factor} ${sheds}: ${lines.at(-1)?.cells.join(' · ')}\n`)
    await served.stop()
  }
  return { lines, capacity }
}

const isWanted = (part: string) => positionals.length === 0 || positionals.includes(part)

interface Proof {
  readonly title: string
  readonly says: string
  readonly parts: readonly (() => Promise<Figure[]>)[]
}

async function proveFigures({ title, says, parts }: Proof): Promise<boolean> {
  const figures: Figure[] = []
  for (const part of parts) {
    const found = await part()
    for (const { what, measured, wanted } of found) process.stderr.write(`${what}: ${measured} ${wanted}\n`)
    figures.push(...found)
  }
  const rows = figures.map(({ what, measured, wanted, isMet }) => [what, measured, wanted, isMet ? 'yes' : '**no**'])
  const section = `## ${title}\n\n${says}\n\n${table(['', 'measured', 'wanted', 'met'], rows)}\n\n${measuredOn()}`
  writeSections(values.results, [section])
  return figures.every(({ isMet }) => isMet)
}

async function proveOverload(): Promise<boolean> {
  const { lines, capacity } = await overload(Number(values.seconds))
  const section = `## More load than can be done

\`pnpm proof:memory overload\`: tickets are created at a fixed rate, whatever is answered, for ${values.seconds} s each. The sustainable rate is
what 32 clients get through, here ${capacity}/s; the senders share the cores with the server. Wanted: p99 of what is accepted
≤ 150 ms at twice that rate, and memory that does not grow.

${table(
  [
    'offered',
    'accepted and answered',
    'refused with 503',
    'neither',
    'accepted, p50 / p99',
    '/livez, p99',
    'RSS before → peak',
  ],
  lines.map(({ load, cells }) => [load, ...cells]),
)}

${measuredOn()}`
  writeSections(values.results, [section])
  return lines.every(({ p99 }) => p99 <= 150)
}

const memoryProof: Proof = {
  title: 'Memory under half-sent, huge and many bodies',
  says: '`pnpm proof:memory memory`: a fresh process for each; RSS is the highest since its start.',
  parts: [halfSent, emptyObjects, manyBodies],
}

const stallProof: Proof = {
  title: 'How long a body at its limit keeps others waiting',
  says: '`pnpm proof:memory stalls`: /livez is asked every 2 ms while one body is sent, read and stored; the slowest answer, as the median of five rounds (all rounds in parentheses), and beside it how much CPU the longest turn of the event loop took, which is what the server itself adds to it.',
  parts: [stalls],
}

async function prove(): Promise<number> {
  const proofs: boolean[] = []
  if (isWanted('memory')) proofs.push(await proveFigures(memoryProof))
  if (isWanted('stalls')) proofs.push(await proveFigures(stallProof))
  if (isWanted('overload')) proofs.push(await proveOverload())
  return proofs.every(Boolean) ? 0 : 1
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()
