import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { Agent as UndiciAgent, request as undiciRequest } from 'undici'
import { writeSections } from '../../../bench/results-file.ts'
import { measuredOn, resultsFile, table } from './results.ts'
import { type Served, serve } from './served.ts'

const help = `Stops a server again and again under keep-alive clients, and proves that none of them sees a reset.

Usage: node packages/server/proof/drain.ts [--stops 6] [--clients 30] [--results <file>]

A third of the clients each uses node:http's Agent, undici and fetch. They create tickets without a pause; after a second
the server gets SIGTERM, twice. It exits with 1 when a client saw a reset, an answer was lost, or an exit was not 0 within
10 seconds. The table is put into bench/RESULTS.md.`

const { values } = parseArgs({
  options: {
    stops: { type: 'string', default: '6' },
    clients: { type: 'string', default: '30' },
    results: { type: 'string', default: resultsFile },
    help: { type: 'boolean', default: false },
  },
})

interface Stop {
  readonly answered: number
  readonly unavailable: number
  readonly refusedConnections: number
  readonly resets: readonly string[]
  readonly exitCode: number | null
  readonly ms: number
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

async function stopOnce(clients: number): Promise<Stop> {
  const served = await serve()
  const resets: string[] = []
  let answered = 0
  let unavailable = 0
  let refusedConnections = 0
  const run = async (post: () => Promise<number>) => {
    for (;;) {
      try {
        const status = await post()
        if (status === 201) answered += 1
        else if (status === 503) unavailable += 1
        else resets.push(`status ${status}`)
      } catch (fault) {
        const code = codeOf(fault)
        if (code === 'ECONNREFUSED') refusedConnections += 1
        else resets.push(code)
        return
      }
    }
  }
  const posts = [httpPost, undiciPost, fetchPost].map((make) => make(served))
  const running = Array.from({ length: clients }, (_, index) => run(posts[index % posts.length] ?? fetchPost(served)))
  await pause(1000)
  const startedAt = performance.now()
  served.signal('SIGTERM')
  setTimeout(() => served.signal('SIGTERM'), 10)
  const exitCode = await served.ended
  const ms = performance.now() - startedAt
  await Promise.all(running)
  await served.stop()
  return { answered, unavailable, refusedConnections, resets, exitCode, ms }
}

function codeOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  if ('code' in fault && typeof fault.code === 'string') return fault.code
  return fault.cause === undefined ? fault.message : codeOf(fault.cause)
}

const body = JSON.stringify({ title: 'Written while the server stops' })
const pathOf = ({ workspace }: Served) => `/api/v1/workspaces/${workspace}/tickets`
const headersOf = ({ token }: Served) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

function httpPost(served: Served): () => Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const options = { port: served.port, path: pathOf(served), method: 'POST', agent, headers: headersOf(served) }
  return () =>
    new Promise((resolve, reject) => {
      const sending = request(options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      })
      sending.on('error', reject)
      sending.end(body)
    })
}

function undiciPost(served: Served): () => Promise<number> {
  const dispatcher = new UndiciAgent()
  return async () => {
    const answer = await undiciRequest(`${served.url}${pathOf(served)}`, {
      ...{ method: 'POST', headers: headersOf(served), body, dispatcher },
    })
    await answer.body.dump()
    return answer.statusCode
  }
}

const fetchPost = (served: Served) => async () => {
  const answer = await fetch(`${served.url}${pathOf(served)}`, { method: 'POST', headers: headersOf(served), body })
  await answer.arrayBuffer()
  return answer.status
}

async function prove(): Promise<number> {
  const stops: Stop[] = []
  for (let at = 0; at < Number(values.stops); at += 1) {
    const stop = await stopOnce(Number(values.clients))
    process.stderr.write(
      `stop ${at + 1}: ${stop.answered} answers, ${stop.resets.length} resets, exit ${stop.exitCode} after ${Math.round(stop.ms)} ms\n`,
    )
    stops.push(stop)
  }
  const rows = stops.map(({ answered, unavailable, refusedConnections, resets, exitCode, ms }, at) =>
    [at + 1, answered, unavailable, refusedConnections, resets.length, exitCode ?? 'none', Math.round(ms)].map(String),
  )
  const resets = new Set(stops.flatMap((stop) => stop.resets))
  const isProved = resets.size === 0 && stops.every(({ exitCode, ms }) => exitCode === 0 && ms <= 10_000)
  const section = `## Stopping under keep-alive clients

\`pnpm proof:drain\`: ${values.clients} clients, a third each with node:http's Agent, undici and fetch, create tickets without a
pause; then SIGTERM, and another one 10 ms later. Wanted: no reset, exit code 0 within 10 s. ${isProved ? 'Proved.' : '**Not proved.**'}

${table(['stop', 'answered 201', 'answered 503', 'then refused a new connection', 'resets and other faults', 'exit code', 'ms until the exit'], rows)}

${measuredOn()}`
  writeSections(values.results, [section])
  process.stdout.write(`${section}\n`)
  for (const reset of resets) process.stderr.write(`${reset}\n`)
  return isProved ? 0 : 1
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()
