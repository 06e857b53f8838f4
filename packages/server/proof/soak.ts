import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { progressOf } from '../../../bench/progress.ts'
import { writeSections } from '../../../bench/results-file.ts'
import { visitor } from '../test/dashboard-person.ts'
import { type Finding, findingsTable, told } from './findings.ts'
import type { ProcessSample } from './process-monitor.ts'
import { measuredOn, percentile, resultsFile, table } from './results.ts'
import { type Served, serve } from './served.ts'
import { type Asking, trafficOf } from './soak-traffic.ts'

const help = `Runs a server under mixed load for long, and looks for what it never gives back.

Usage: node packages/server/proof/soak.ts [--minutes 30] [--rate 30] [--results <file>]

Example: node packages/server/proof/soak.ts --minutes 3 --rate 20 --results /dev/null

The server is a process of its own on SQLite. It gets --rate requests a second of every kind, open pages of the dashboard,
and a receiver of its events that sometimes fails. Once a minute it is asked what it holds. The tables are put into
bench/RESULTS.md. It exits with 1 when its memory or its open files grow, or an answer was not as it should be.`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '30' },
    results: { type: 'string', default: resultsFile },
    help: { type: 'boolean', default: false },
  },
})

const fewestSamples = 9
/** More than this many unanswered requests would be another proof. */
const mostOpen = 64
/** So long a page stays open before it is opened anew. */
const pageStaysMs = 10_000
const retrySchedule = [1, 2, 4, 8, 15, 30]

interface Sample extends ProcessSample {
  readonly minute: number
  readonly requests: number
  readonly p99Ms: number
  readonly rssMb: number
  readonly files: number
  readonly databaseMb: number
  readonly delivered: number
}

interface Asked {
  readonly requests: number
  readonly unexpected: ReadonlyMap<string, number>
  /** Requests that came while the server had too much to do. */
  readonly refused: number
  /** How long each answer took since this was called for the last time. */
  takeTimes(): number[]
  stop(): Promise<void>
}

/** What each kind of request may be answered; a delivery that is to be sent again may be under way. */
const expected: Readonly<Record<string, readonly number[]>> = { resend: [200, 404, 409], refused: [401] }

function startAsking(served: Served, rate: number): Asked {
  const traffic = trafficOf(served)
  const open = new Set<Promise<void>>()
  const unexpected = new Map<string, number>()
  let times: number[] = []
  let requests = 0
  let refused = 0
  let isOver = false
  const send = async ({ name, path, method, headers, body }: Asking) => {
    const startedAt = performance.now()
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const status = await fetch(served.url + path, { method, headers, ...text }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
    times.push(performance.now() - startedAt)
    if (status === 503) refused += 1
    if (status === 503 || (expected[name] ?? [200, 201]).includes(status)) return
    const what = `${name} ${status}`
    unexpected.set(what, (unexpected.get(what) ?? 0) + 1)
  }
  const run = async () => {
    while (!isOver) {
      if (open.size < mostOpen) {
        const sending = send(traffic(requests))
        requests += 1
        open.add(sending)
        void sending.finally(() => open.delete(sending))
      }
      await sleep(1000 / rate)
    }
    await Promise.all(open)
  }
  const running = run()
  return {
    get requests() {
      return requests
    },
    get refused() {
      return refused
    },
    unexpected,
    takeTimes() {
      const taken = times
      times = []
      return taken
    },
    async stop() {
      isOver = true
      await running
    },
  }
}

/** One in twenty requests fails, one in a hundred keeps the sender waiting. */
async function startUnreliableReceiver() {
  let arrived = 0
  let failed = 0
  const server = createServer((request, response) => {
    arrived += 1
    const isBad = arrived % 20 === 0
    if (isBad) failed += 1
    const answer = () => void response.writeHead(isBad ? 500 : 204).end()
    request.resume().on('end', () => {
      if (arrived % 100 === 1) setTimeout(answer, 2000)
      else answer()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    arrived: () => arrived,
    failed: () => failed,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A person who has three pages open for the whole time, and another that is opened again and again. */
async function openPages({ url, signInUrl, workspace }: Served) {
  const person = visitor({ fetch: (input, init) => fetch(input, init), origin: url })
  await person.get(signInUrl)
  const closing = new AbortController()
  let heard = 0
  const listen = async (page: string, forMs?: number) => {
    const { signal } = closing
    const text = await (await person.get(`/dashboard/w/${workspace}/${page}`)).text()
    const [, liveUrl] = /data-live-url="([^"]+)"/.exec(text) ?? []
    if (liveUrl === undefined) throw new Error(`The page ${page} does not listen.`)
    const stream = (await person.get(liveUrl)).body?.getReader()
    if (stream === undefined) throw new Error('The stream has no body.')
    const end = () => void stream.cancel().catch(() => undefined)
    signal.addEventListener('abort', end)
    const timer = forMs === undefined ? undefined : setTimeout(end, forMs)
    for (let isOpen = true; isOpen; ) {
      const { done, value } = await stream.read()
      isOpen = !done
      heard += value?.length ?? 0
    }
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  const reopen = async () => {
    while (!closing.signal.aborted) await listen('tickets', pageStaysMs)
  }
  const running = [listen('tickets'), listen('tasks'), listen('leads'), reopen()]
  return {
    heardBytes: () => heard,
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}

async function subscribe({ url, workspace, adminToken }: Served, receiverUrl: string): Promise<void> {
  const answer = await fetch(`${url}/admin/v1/workspaces/${workspace}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiverUrl, events: ['*'], schedule: retrySchedule }),
  })
  if (answer.status !== 201) throw new Error(`The subscription was refused: ${await answer.text()}`)
}

const databaseMb = ({ data }: Served) =>
  readdirSync(data)
    .filter((name) => name.startsWith('service.db'))
    .reduce((sum, name) => sum + statSync(join(data, name)).size, 0) / 1e6

async function prove(): Promise<number> {
  const minutes = Number(values.minutes)
  const betweenMs = Math.min(60_000, (minutes * 60_000) / fewestSamples)
  const count = Math.round((minutes * 60_000) / betweenMs)
  const progress = progressOf('soak', count, (text) => process.stderr.write(text))
  const served = await serve()
  const receiver = await startUnreliableReceiver()
  await subscribe(served, receiver.url)
  const pages = await openPages(served)
  const asking = startAsking(served, Number(values.rate))
  const samples: Sample[] = []
  for (const startedAt = performance.now(); samples.length < count; ) {
    await sleep(startedAt + (samples.length + 1) * betweenMs - performance.now())
    const rssMb = served.memoryMb('now')
    const sample = {
      ...(await served.sample()),
      ...{ minute: (performance.now() - startedAt) / 60_000, requests: asking.requests, rssMb },
      ...{ p99Ms: percentile(asking.takeTimes(), 0.99), files: served.openFiles() },
      ...{ databaseMb: databaseMb(served), delivered: receiver.arrived() },
    }
    samples.push(sample)
    progress(`RSS ${rssMb} MB, heap ${sample.heapMb.toFixed(1)} MB, ${sample.files} open files`)
  }
  await asking.stop()
  await pages.close()
  served.signal('SIGTERM')
  const code = await served.ended
  await served.stop()
  receiver.close()
  return report(samples, [
    ...growth(samples),
    {
      what: `answers that were not as they should be, of ${asking.requests}`,
      wanted: '0',
      measured: [...asking.unexpected].map(([what, times]) => `${what} (${times} times)`).join(', ') || '0',
      isMet: asking.unexpected.size === 0,
    },
    told('refused with 503 while the machine had too much else to do', asking.refused),
    told('requests that its receiver got; failed on purpose', `${receiver.arrived()}; ${receiver.failed()}`),
    told('bytes that open pages were told', pages.heardBytes()),
    { what: 'exit code after SIGTERM', wanted: '0', measured: String(code), isMet: code === 0 },
  ])
}

/** Medians of the second and of the last third: in the first one caches fill and code is compiled. */
function growth(samples: readonly Sample[]): Finding[] {
  const third = Math.floor(samples.length / 3)
  const grown = (what: string, most: number, of: (sample: Sample) => number): Finding => {
    const [second, last] = [samples.slice(third, -third), samples.slice(-third)].map((each) =>
      percentile(each.map(of), 0.5),
    )
    if (second === undefined || last === undefined) throw new TypeError('There are no samples.')
    return {
      what: `${what}: median of the second third → of the last`,
      wanted: `≤ +${most}`,
      measured: `${second.toFixed(1)} → ${last.toFixed(1)}`,
      isMet: last - second <= most,
    }
  }
  return [
    grown('RSS, MB', 10, ({ rssMb }) => rssMb),
    grown('heap after garbage collection, MB', 2, ({ heapMb }) => heapMb),
    grown('buffers, MB', 2, ({ externalMb }) => externalMb),
    grown('open files and sockets', 4, ({ files }) => files),
    grown('resources of the event loop', 4, ({ resources }) => resources),
  ]
}

function report(samples: readonly Sample[], findings: readonly Finding[]): number {
  const isProved = findings.every(({ isMet }) => isMet)
  const rows = samples.map((sample) => [
    sample.minute.toFixed(0),
    String(sample.requests),
    sample.p99Ms.toFixed(0),
    String(sample.delivered),
    String(sample.rssMb),
    sample.heapMb.toFixed(1),
    sample.externalMb.toFixed(1),
    String(sample.files),
    String(sample.resources),
    `${sample.delayP99Ms.toFixed(0)} / ${sample.delayMaxMs.toFixed(0)}`,
    sample.databaseMb.toFixed(1),
  ])
  const head = ['minute', 'requests', 'p99, ms', 'deliveries', 'RSS, MB', 'heap after gc, MB', 'buffers, MB']
  const section = `## Half an hour of everything

\`pnpm proof:soak --minutes ${values.minutes}\`: a process of its own on SQLite gets ${values.rate} requests a second (lists, creations, error reports,
leads, punches, Git, administration), four pages of the dashboard listen, one of them opened anew every ${pageStaysMs / 1000} s, and every event
goes to a receiver that fails each 20th and keeps each 100th waiting. ${isProved ? 'Proved.' : '**Not proved.**'}

${findingsTable(findings)}

${table([...head, 'open files', 'resources', 'event loop delay, p99 / longest, ms', 'database, MB'], rows)}

${measuredOn()}`
  writeSections(values.results, [section])
  process.stdout.write(`${section}\n`)
  return isProved ? 0 : 1
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()
