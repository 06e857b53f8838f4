import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { progressOf } from '../../../bench/progress.ts'
import { writeSections } from '../../../bench/results-file.ts'
import { type Balancer, startBalancer } from '../test/balancer.ts'
import { exactly, type Finding, findingsTable, told } from './findings.ts'
import { type Load, startLoad } from './outage-load.ts'
import { type Receiver, type RunningServer, startReceiver, startServer, subscribe } from './outage-server.ts'
import { asked, createPostgres, type RestartablePostgres } from './restartable-postgres.ts'
import { measuredOn, percentile, resultsFile } from './results.ts'

const help = `Restarts the nodes of an installation one after the other under load, and looks for what a caller notices.

Usage: node packages/server/proof/rolling.ts [--nodes 4] [--rounds 2] [--clients 18] [--results <file>]

Example: node packages/server/proof/rolling.ts --nodes 2 --rounds 1 --results /dev/null

The nodes share one PostgreSQL behind a balancer that asks /readyz ten times a second and repeats nothing that was sent.
A third of the clients creates tickets, the others list projects, all with a pause of 20 ms; a subscriber gets each ticket. The table is put
into bench/RESULTS.md. It exits with 1 when a request failed, or a ticket or its event was lost or doubled.`

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    clients: { type: 'string', default: '18' },
    results: { type: 'string', default: resultsFile },
    help: { type: 'boolean', default: false },
  },
})

const checkEveryMs = 100
/** Ten times as long as the balancer takes to look again. */
const environment = { SERVICE_DRAIN_DELAY_MS: '1000' }
/** Between the requests of a client: the proof is of restarts, not of more load than can be done. */
const pauseMs = 20
const longestDeliveryMs = 120_000

interface Scene {
  readonly postgres: RestartablePostgres
  readonly balancer: Balancer
  readonly receiver: Receiver
  readonly load: Load
  readonly first: RunningServer
}

interface Restart {
  readonly code: number | null
  readonly ms: number
}

async function prove(): Promise<number> {
  const [count, rounds] = [Number(values.nodes), Number(values.rounds)]
  const progress = progressOf('nodes', count + count * rounds, (text) => process.stderr.write(text))
  const postgres = await createPostgres()
  await postgres.start()
  const [receiver, balancer] = await Promise.all([startReceiver(), startBalancer({ checkEveryMs })])
  const nodes: RunningServer[] = []
  const startNode = async () => {
    const node = await startServer(postgres.url, { seeded: nodes[0], environment })
    balancer.add(node.url)
    await balancer.becomes(node.url, 'ready')
    return node
  }
  try {
    while (nodes.length < count) {
      nodes.push(await startNode())
      progress('started')
    }
    const [first] = nodes
    if (first === undefined) throw new TypeError('--nodes is at least 1.')
    await subscribe(first, receiver.url)
    const clients = Number(values.clients)
    const writers = Math.ceil(clients / 3)
    const load = startLoad({ ...first, url: balancer.url }, { writers, readers: clients - writers, pauseMs })
    await load.firstWriteAfter(0)
    const restarts: Restart[] = []
    for (let at = 0; at < count * rounds; at += 1) {
      const stopping = nodes[at % count]
      if (stopping === undefined) break
      const restart = await stopping.terminate()
      balancer.remove(stopping.url)
      nodes[at % count] = await startNode()
      restarts.push(restart)
      progress(`restarted node ${(at % count) + 1}, ${failuresIn(load).length} requests failed so far`)
    }
    await load.stop()
    return report([
      ...restartFindings(restarts),
      ...(await whatCallersSaw({ postgres, balancer, receiver, load, first })),
    ])
  } finally {
    await Promise.all(nodes.map((node) => node.terminate()))
    await balancer.close()
    receiver.close()
    await postgres.remove()
  }
}

const failuresIn = ({ answers }: Load) =>
  answers.filter(({ kind, status }) => kind !== 'ready' && status !== 200 && status !== 201)

function restartFindings(restarts: readonly Restart[]): Finding[] {
  const times = restarts.map(({ ms }) => ms)
  return [
    exactly('restarts', Number(values.nodes) * Number(values.rounds), restarts.length),
    exactly('exits with another code than 0', 0, restarts.filter(({ code }) => code !== 0).length),
    told(
      'from SIGTERM to the exit: median, longest',
      `${seconds(percentile(times, 0.5))}, ${seconds(Math.max(...times))}`,
    ),
  ]
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

async function whatCallersSaw({ postgres, balancer, receiver, load }: Scene): Promise<Finding[]> {
  const { acknowledged, answers } = load
  for (const { fault, kind, ms, status } of failuresIn(load))
    process.stderr.write(`${kind}, ${status} after ${ms.toFixed(0)} ms: ${fault}\n`)
  const undelivered = () => [...acknowledged].filter((title) => !receiver.arrivals.has(title)).length
  for (const until = performance.now() + longestDeliveryMs; undelivered() > 0 && performance.now() < until; )
    await sleep(100)
  const rows = await asked(postgres, 'select title, count(*)::int as count from tickets group by title')
  const stored = new Map(rows.map(({ title, count }) => [String(title), Number(count)]))
  const reads = answers.filter(({ kind }) => kind === 'list')
  const writes = answers.filter(({ kind }) => kind === 'write')
  const isOf = (kind: string) => failuresIn(load).filter((answered) => answered.kind === kind).length
  const slowest = (times: readonly { readonly ms: number }[]) => {
    const all = times.map(({ ms }) => ms)
    return `${percentile(all, 0.5).toFixed(0)} / ${percentile(all, 0.99).toFixed(0)} / ${percentile(all, 1).toFixed(0)} ms`
  }
  return [
    exactly(`lists that failed, of ${reads.length}`, 0, isOf('list')),
    exactly(`creations that failed, of ${writes.length}`, 0, isOf('write')),
    told('connections that a stopping node refused, sent to another', balancer.refusedConnections()),
    exactly('acknowledged tickets that are lost', 0, [...acknowledged].filter((title) => !stored.has(title)).length),
    exactly('tickets stored twice', 0, [...acknowledged].filter((title) => (stored.get(title) ?? 0) > 1).length),
    exactly('acknowledged tickets whose event was not delivered', 0, undelivered()),
    exactly('events delivered twice', 0, [...receiver.arrivals.values()].filter((times) => times > 1).length),
    told('lists: p50 / p99 / longest', slowest(reads)),
    told('creations: p50 / p99 / longest', slowest(writes)),
  ]
}

function report(findings: readonly Finding[]): number {
  const isProved = findings.every(({ isMet }) => isMet)
  const section = `## Nodes restarted one after the other

\`pnpm proof:rolling\`: ${values.nodes} nodes on one PostgreSQL (with fsync) behind a balancer that asks \`/readyz\` every ${checkEveryMs} ms and
repeats nothing that was sent; ${values.clients} clients that pause for ${pauseMs} ms, a third of them creating tickets, the others listing; each node
gets SIGTERM and is started again in turn, ${values.rounds} times, with \`SERVICE_DRAIN_DELAY_MS=1000\`. ${isProved ? 'Proved.' : '**Not proved.**'}

${findingsTable(findings)}

${measuredOn()}`
  writeSections(values.results, [section])
  process.stdout.write(`${section}\n`)
  return isProved ? 0 : 1
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()
