import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ServerOptions } from '../src/index.ts'
import { listenOnFreePort } from '../test/free-port.ts'
import type { WriterNews, WriterOrder } from './crash-writer.ts'

// Repeatedly kills a process that writes tickets with SIGKILL at random moments, on the same database. Afterwards
// every committed event must have been delivered, no rolled-back event, and none more than once per life
// of a process: a crash may repeat a delivery once, under the same id.

export interface CrashOptions {
  readonly place: ServerOptions
  readonly kills: number
  /** From 0 to 1; decides when a process dies. */
  readonly random?: () => number
}

export interface CrashReport {
  readonly kills: number
  readonly acknowledged: number
  readonly committed: number
  readonly received: number
  /** Repeated requests of a delivery. */
  readonly repeated: number
  /** One message per violated guarantee. */
  readonly broken: readonly string[]
}

interface Arrival {
  readonly delivery: string
  readonly title: string
  /** The number of processes killed before it. */
  readonly life: number
}

/** One process in five dies during its start, the others after their first tickets. */
const earlyDeaths = 0.2
const firstTickets = 3
const longestStartMs = 600
const longestLifeMs = 400
const startTimeoutMs = 20_000

export async function proveCrashes({ place, kills, random = Math.random }: CrashOptions): Promise<CrashReport> {
  const arrivals: Arrival[] = []
  let life = 0
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const title = JSON.parse(text).ticket?.title ?? 'a task'
      arrivals.push({ delivery: String(request.headers['x-service-delivery']), title, life })
      response.writeHead(204).end()
    })
  })
  const receiverUrl = `http://127.0.0.1:${await listenOnFreePort(receiver)}/`
  const acknowledged = new Set<string>()
  const begin = (task: WriterOrder['task']) => startWriter({ place, receiverUrl, task, run: life })
  for (; life < kills; ) {
    const child = begin('write')
    child.on('message', (news: WriterNews) => {
      if (news.kind === 'acknowledged') acknowledged.add(news.title)
    })
    if (random() < earlyDeaths) await sleep(random() * longestStartMs)
    else await firstTicketsOf(child).then(() => sleep(random() * longestLifeMs))
    await kill(child)
    life += 1
  }
  const committed = await readCommitted(begin('finish'))
  receiver.close()
  receiver.closeAllConnections()
  return judge({ kills, acknowledged, committed, arrivals })
}

function startWriter(order: WriterOrder): ChildProcess {
  const path = fileURLToPath(new URL('./crash-writer.ts', import.meta.url))
  return fork(path, [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
}

/** Resolves once a process has created its first tickets, or after a timeout. */
async function firstTicketsOf(child: ChildProcess): Promise<void> {
  const late = new AbortController()
  const made = new Promise<void>((resolve) => {
    let tickets = 0
    child.on('message', () => {
      tickets += 1
      if (tickets === firstTickets) resolve()
    })
  })
  await Promise.race([made, sleep(startTimeoutMs, undefined, { signal: late.signal }).catch(() => undefined)])
  late.abort()
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

function readCommitted(child: ChildProcess): Promise<ReadonlySet<string>> {
  return new Promise((resolve, reject) => {
    child.once('message', (news: WriterNews) => resolve(new Set(news.kind === 'committed' ? news.titles : [])))
    child.once('exit', () => reject(new Error('The last process ended without finishing its deliveries.')))
  })
}

interface Evidence {
  readonly kills: number
  readonly acknowledged: ReadonlySet<string>
  readonly committed: ReadonlySet<string>
  readonly arrivals: readonly Arrival[]
}

function judge({ kills, acknowledged, committed, arrivals }: Evidence): CrashReport {
  const received = new Set(arrivals.map(({ title }) => title))
  const perLife = countBy(arrivals, ({ delivery, life }) => `${delivery} in life ${life}`)
  const idsOf = countBy([...new Set(arrivals.map(({ title, delivery }) => `${title} ${delivery}`))], (pair) =>
    String(pair.split(' ')[0]),
  )
  const broken = [
    ...[...acknowledged]
      .filter((title) => !committed.has(title))
      .map((title) => `${title} was acknowledged and is lost.`),
    ...[...committed].filter((title) => !received.has(title)).map((title) => `${title} was never delivered.`),
    ...[...received]
      .filter((title) => !committed.has(title))
      .map((title) => `${title} was rolled back and yet delivered.`),
    ...[...perLife].filter(([, count]) => count > 1).map(([what, count]) => `${what} came ${count} times.`),
    ...[...idsOf].filter(([, count]) => count > 1).map(([title, count]) => `${title} had ${count} delivery ids.`),
  ]
  const repeated = arrivals.length - received.size
  return {
    kills,
    acknowledged: acknowledged.size,
    committed: committed.size,
    received: received.size,
    repeated,
    broken,
  }
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
