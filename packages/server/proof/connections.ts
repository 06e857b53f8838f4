import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { progressOf } from '../../../bench/progress.ts'
import { writeSections } from '../../../bench/results-file.ts'
import { exactly, type Finding, findingsTable, told } from './findings.ts'
import { type KeptState, keepConnections } from './kept-connections.ts'
import { type Offered, offer } from './offered-load.ts'
import { measuredOn, percentile, resultsFile } from './results.ts'
import { type Served, serve } from './served.ts'

const help = `Keeps ten thousand connections open to a server, and looks at what they cost those who do something.

Usage: node packages/server/proof/connections.ts [--connections 10000] [--seconds 15] [--rate 50] [--results <file>]

Example: node packages/server/proof/connections.ts --connections 1000 --seconds 5 --results /dev/null

Each connection asks /livez every four seconds, which is as idle as a connection can be that a server keeps. Beside them
tickets are created at a fixed rate. It needs as many open files, twice ("ulimit -Hn"). The table is put into
bench/RESULTS.md. It exits with 1 when a connection is refused or cut off, or the tickets take too long.`

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '15' },
    rate: { type: 'string', default: '50' },
    results: { type: 'string', default: resultsFile },
    help: { type: 'boolean', default: false },
  },
})

const addresses = 20
/** What a server under twice its load may take for what it accepts. */
const longestP99Ms = 150
const longestTurnCpuMs = 100
const mostMbPerThousand = 20
const longestStopMs = 10_000

async function createTickets({ port, workspace, token }: Served): Promise<Offered> {
  const seconds = Number(values.seconds)
  return offer({
    ...{ port, path: `/api/v1/workspaces/${workspace}/tickets`, seconds, perSecond: Number(values.rate) },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Among ten thousand' }),
  })
}

const p99Ms = ({ answers }: Offered) =>
  percentile(
    answers.map(({ ms }) => ms),
    0.99,
  )
const refusedIn = ({ answers }: Offered) => answers.filter(({ status }) => status !== 201).length

/** No more than this many rounds of asking what is over. */
async function untilAllClosed(state: () => Promise<KeptState>): Promise<KeptState> {
  for (let round = 0; round < 100; round += 1) {
    const now = await state()
    if (now.open === 0) return now
    await sleep(100)
  }
  return state()
}

async function prove(): Promise<number> {
  const connections = Number(values.connections)
  const progress = progressOf('kept', 5, (text) => process.stderr.write(text))
  const served = await serve()
  await createTickets(served)
  progress('warmed up')
  const alone = await createTickets(served)
  const rssAloneMb = served.memoryMb('now')
  progress(`alone: p99 ${p99Ms(alone).toFixed(0)} ms, ${rssAloneMb} MB`)
  const startedAt = performance.now()
  const kept = keepConnections({ port: served.port, connections, addresses })
  const opened = await kept.opened
  const openedMs = performance.now() - startedAt
  progress(`${opened.open} connections open after ${(openedMs / 1000).toFixed(1)} s`)
  await served.longestTurnMs()
  const cpuBeforeMs = served.cpuMs()
  const among = await createTickets(served)
  const cores = (served.cpuMs() - cpuBeforeMs) / 1000 / among.tookSeconds
  const longestTurnMs = await served.longestTurnMs()
  const rssMb = served.memoryMb('now')
  const before = await kept.state()
  progress(`among them: p99 ${p99Ms(among).toFixed(0)} ms, ${rssMb} MB`)
  const stoppedAt = performance.now()
  served.signal('SIGTERM')
  const code = await served.ended
  const stopMs = performance.now() - stoppedAt
  const after = await untilAllClosed(kept.state)
  progress(`stopped after ${(stopMs / 1000).toFixed(1)} s`)
  await kept.close()
  await served.stop()
  const perThousandMb = ((rssMb - rssAloneMb) / connections) * 1000
  return report([
    exactly('connections that are open', connections, opened.open),
    told('until the last of them was answered', `${(openedMs / 1000).toFixed(1)} s`),
    exactly('connections that are open at the end', connections, before.open),
    exactly(`answers to them that were not 200, and faults, of ${before.answers}`, 'none', namesOf(before)),
    told('RSS before → with all of them', `${rssAloneMb} → ${rssMb} MB`),
    atMost('RSS of a thousand connections', perThousandMb, [mostMbPerThousand, 'MB']),
    exactly(`tickets that were refused, of ${among.answers.length}`, 0, refusedIn(among)),
    told('creating a ticket without them: p99', `${p99Ms(alone).toFixed(0)} ms`),
    atMost('creating a ticket among them: p99', p99Ms(among), [longestP99Ms, 'ms']),
    atMost('CPU of the longest turn of the event loop', longestTurnMs, [longestTurnCpuMs, 'ms']),
    told('processor time, in cores', cores.toFixed(2)),
    atMost('SIGTERM: ended after', stopMs, [longestStopMs, 'ms']),
    exactly('SIGTERM: exit code', 0, code ?? 'a signal'),
    exactly('SIGTERM: connections ended in order', connections, after.ended),
    exactly('SIGTERM: connections that were reset, or refused an answer', 'none', namesOf(after)),
  ])
}

const namesOf = ({ others }: KeptState) =>
  Object.entries(others)
    .map(([what, times]) => `${what} (${times} times)`)
    .join(', ') || 'none'

const atMost = (what: string, measured: number, [most, unit]: readonly [number, string]): Finding => ({
  what,
  wanted: `≤ ${most} ${unit}`,
  measured: `${measured.toFixed(0)} ${unit}`,
  isMet: measured <= most,
})

function report(findings: readonly Finding[]): number {
  const isProved = findings.every(({ isMet }) => isMet)
  const section = `## Ten thousand connections

\`pnpm proof:connections\`: ${values.connections} connections from ${addresses} addresses are kept, each of which asks \`/livez\` every four seconds; ${values.rate}
tickets a second are created beside them for ${values.seconds} s; then SIGTERM. ${isProved ? 'Proved.' : '**Not proved.**'}

${findingsTable(findings)}

${measuredOn()}`
  writeSections(values.results, [section])
  process.stdout.write(`${section}\n`)
  return isProved ? 0 : 1
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()
