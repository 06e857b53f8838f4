import type { Chart } from '../chart.ts'
import { temporaryFolder } from '../data/folder.ts'
import { copyData, type SeededWorkspace, seed } from '../data/seed.ts'
import { atMost, because, type Findings, row } from '../findings.ts'
import { contest, contestSteps } from '../load/contest.ts'
import { type LoadSample, startLoad } from '../load/load.ts'
import type { PlannedRequest } from '../load/plan.ts'
import { installPeers } from '../peers/install.ts'
import { type PeerName, peerTitles, startPeer } from '../peers/peers.ts'
import { type ServerProcess, startOurs } from '../processes/server.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios, spreadOf } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const clients = 32

interface PeerVariant {
  readonly name: string
  readonly who: PeerName | 'ours'
}
interface Task extends PeerVariant {
  readonly does: 'list' | 'create'
}

const ours: PeerVariant = { name: 'ours: tokens, checks, SQL, fsync', who: 'ours' }
const peerNames = Object.keys(peerTitles) as PeerName[] // Object.keys forgets the literal keys
const all: readonly PeerVariant[] = [ours, ...peerNames.map((who) => ({ name: peerTitles[who], who }))]
const tasks: readonly Task[] = (['list', 'create'] as const).flatMap((does) => all.map((one) => ({ ...one, does })))

/** The same list, the same creation and the start, beside what else people test against. */
export const peers: Scenario = {
  steps: (options) => 1 + all.length * options.rounds + contestSteps(tasks, options),
  async run(options, progress) {
    const installed = await installPeers('servers')
    using folder = temporaryFolder()
    const [workspace] = await seed(folder.path('seed'), 500)
    if (workspace === undefined) throw new ReferenceError('Nothing was seeded.')
    const tickets = await seededTickets(folder.path('seed'), workspace)
    progress('installed the peers')
    let count = 0
    const start = async ({ who }: PeerVariant): Promise<ServerProcess> => {
      const own = folder.path(`${who}-${count++}`)
      if (who !== 'ours') return startPeer(who, { installed, folder: own, tickets })
      copyData(folder.path('seed'), own)
      const server = await startOurs(own)
      await ticketsOf(server, workspace)
      return server
    }
    const starts = await interleave(all, options.rounds, async (variant, round) => {
      const startedAt = performance.now()
      await using _ = await start(variant)
      const took = performance.now() - startedAt
      progress(`round ${round + 1}: ${variant.name}: ${Math.round(took)} ms to start`)
      return took
    })
    await using stack = new AsyncDisposableStack()
    // One for each task: a list of all that was created would be another list.
    const servers = new Map<Task, ServerProcess>()
    for (const task of tasks) servers.set(task, stack.use(await start(task)))
    const load = stack.use(startLoad())
    const samples = await contest(tasks, { ...options, progress }, async (task, seconds) => {
      const server = servers.get(task)
      if (server === undefined) throw new ReferenceError(`${task.who} was not started.`)
      return load.measure(server, { clients, seconds, requests: [requestOf(task, workspace)] })
    })
    return report(samples, starts)
  },
}

async function seededTickets(data: string, workspace: SeededWorkspace): Promise<readonly unknown[]> {
  await using server = await startOurs(data)
  return ticketsOf(server, workspace)
}

async function ticketsOf({ baseUrl }: ServerProcess, { id, token }: SeededWorkspace): Promise<readonly unknown[]> {
  const response = await fetch(`${baseUrl}/workspaces/${id}/tickets`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { data: unknown[] }).data // our own answer
}

const body = JSON.stringify({ title: 'The invoice export prints the total without tax', priority: 'high' })

function requestOf({ who, does }: Task, { id, token }: SeededWorkspace): PlannedRequest {
  const path = who === 'ours' ? `/api/v1/workspaces/${id}/tickets` : '/tickets'
  const headers = {
    accept: 'application/json',
    ...(who === 'ours' ? { authorization: `Bearer ${token}` } : {}),
  }
  if (does === 'list') return { method: 'GET', path, headers, expectedStatus: 200 }
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    expectedStatus: 201,
  }
}

function chart(head: Omit<Chart, 'bars'>, pick: (variant: PeerVariant) => readonly number[]): Chart {
  const bars = all.map((variant) => ({
    label: variant.name.replace(/[:,].*/, ''),
    value: spreadOf(pick(variant)).median,
    isOurs: variant === ours,
  }))
  return { ...head, bars }
}

const whyCreationsCostMore =
  'what is better keeps nothing (prism answers an example) or is the program by hand, which looks no token up, checks and limits nothing, gives no number, and writes one row without an event, a search index or a delivery.'

const whyStartsTakeLonger =
  'what is faster loads a file or two of JavaScript and opens no database with a schema to be checked, save the program by hand, which is one file. Ours reads its contract, its settings and its keys, locks its directory, checks the schema and prepares its statements before the first answer.'

function report(samples: Map<Task, LoadSample[]>, starts: Map<PeerVariant, number[]>): Findings {
  const taskOf = ({ who }: PeerVariant, does: Task['does']): Task => {
    const task = tasks.find((one) => one.who === who && one.does === does)
    if (task === undefined) throw new ReferenceError(`${who} does not ${does}.`)
    return task
  }
  const cpu = (variant: PeerVariant, does: Task['does']) =>
    figures(samples, taskOf(variant, does), (sample) => sample.cpuMicrosPerRequest)
  const rate = (variant: PeerVariant, does: Task['does']) =>
    figures(samples, taskOf(variant, does), (sample) => sample.requestsPerSecond)
  const startOf = (variant: PeerVariant) => starts.get(variant) ?? []
  const bestOf = (pick: (variant: PeerVariant) => readonly number[]) =>
    startOf(ours).map((_, round) => Math.min(...all.slice(1).map((variant) => pick(variant)[round] ?? Number.NaN)))
  const toBest = (pick: (variant: PeerVariant) => readonly number[]) => ratios(pick(ours), bestOf(pick))
  const toBestIn = (does: Task['does']) => toBest((variant) => cpu(variant, does))
  return {
    title: 'Peers: a list of 50, a creation, a start',
    method: `${clients} keep-alive connections over loopback. All answer the same fifty tickets, and creations go to servers of their own. Ours looks a token up, counts the rate limit, checks the body, and answers a creation once it is on disk; the others do so little of that as they do. Creations make json-server and mockoon slower with every one of them, because they write or search all they have. A start is counted from the spawn to the first list. "Best" is the best of the peers in the same round.`,
    columns: ['list, CPU µs', 'list, requests/s', 'create, CPU µs', 'create, requests/s', 'start, ms'],
    rows: all.map((variant) =>
      row(
        variant.name,
        cpu(variant, 'list'),
        rate(variant, 'list'),
        cpu(variant, 'create'),
        rate(variant, 'create'),
        startOf(variant),
      ),
    ),
    goals: [
      atMost('list, CPU / best', 1, toBestIn('list')),
      because(atMost('create, CPU / best', 1, toBestIn('create')), whyCreationsCostMore),
      because(atMost('start / best', 1, toBest(startOf)), whyStartsTakeLonger),
    ],
    charts: [
      chart({ file: 'peers-list', title: 'A list of 50 tickets: CPU per request', unit: 'µs' }, (variant) =>
        cpu(variant, 'list'),
      ),
      chart({ file: 'peers-create', title: 'A ticket is created: CPU per request', unit: 'µs' }, (variant) =>
        cpu(variant, 'create'),
      ),
      chart({ file: 'peers-start', title: 'From start to the first list', unit: 'ms' }, startOf),
    ],
  }
}
