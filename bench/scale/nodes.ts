import { createServer } from '@service/server'
import { setup, teardown } from '../../packages/server/test/postgres.setup.ts'
import { createDatabase } from '../../packages/server/test/postgres-databases.ts'
import { type SeededWorkspace, seedWorkspaces } from '../data/seed.ts'
import { type Findings, row } from '../findings.ts'
import { type Load, type LoadSample, startLoad } from '../load/load.ts'
import { createTicket, readTickets } from '../load/ticket-requests.ts'
import type { Options } from '../options.ts'
import { type ServerProcess, startWorker } from '../processes/server.ts'
import type { Progress } from '../progress.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios, spreadOf } from '../spread.ts'

// The same requests, shared among one, two and four processes on one PostgreSQL.

const counts = [1, 2, 4]
const clients = 32
const encryptionKey = 'a key that is only used in this measurement, of enough characters'

const kinds = [
  { label: 'creations', requests: createTicket },
  { label: 'lists', requests: (workspace: SeededWorkspace) => readTickets(workspace) },
] as const

const variants = counts.flatMap((count) =>
  kinds.map((kind) => ({ name: `${count} ${count === 1 ? 'node' : 'nodes'}: ${kind.label}`, count, kind })),
)
type Variant = (typeof variants)[number]

export const nodesSteps = ({ rounds }: Options) => 1 + variants.length * (rounds + 1)

export async function growingNodes(options: Options, progress: Progress): Promise<Findings> {
  let postgres = ''
  const provide = (_: string, given: string) => {
    postgres = given
  }
  await setup({ provide } as Parameters<typeof setup>[0]) // of a test project it needs no more
  const { url, drop } = await createDatabase(postgres)
  const workspaces = await seedDatabase(url)
  const samples = await measureNodes({ url, workspaces, options, progress })
  await drop()
  await teardown()
  return report(samples)
}

async function seedDatabase(databaseUrl: string): Promise<readonly SeededWorkspace[]> {
  await using server = await createServer({ databaseUrl, encryptionKey, rateLimit: 'off' })
  const workspaces = await seedWorkspaces(server)
  for (const { id, token } of workspaces)
    for (let ticket = 0; ticket < 60; ticket += 1)
      await server.fetch(`${server.origin}/api/v1/workspaces/${id}/tickets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Ticket ${ticket}` }),
      })
  return workspaces
}

interface Setting {
  readonly url: string
  readonly workspaces: readonly SeededWorkspace[]
  readonly options: Options
  readonly progress: Progress
}

async function measureNodes({ url, workspaces, options, progress }: Setting): Promise<Map<Variant, LoadSample[]>> {
  await using stack = new AsyncDisposableStack()
  const nodes: { readonly server: ServerProcess; readonly load: Load }[] = []
  for (let index = 0; index < Math.max(...counts); index += 1)
    nodes.push({ server: stack.use(await startWorker(url, encryptionKey)), load: stack.use(startLoad()) })
  progress('started four nodes')
  const measure = async ({ count, kind }: Variant, seconds: number): Promise<LoadSample> => {
    const requests = workspaces.flatMap((workspace) => kind.requests(workspace))
    const shares = await Promise.all(
      nodes
        .slice(0, count)
        .map(({ server, load }) => load.measure(server, { clients: clients / count, seconds, requests })),
    )
    const rate = shares.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0)
    const cpu = shares.reduce((sum, each) => sum + each.requestsPerSecond * each.cpuMicrosPerRequest, 0)
    return { requestsPerSecond: rate, cpuMicrosPerRequest: cpu / rate }
  }
  for (const variant of variants) {
    await measure(variant, 2)
    progress(`warmed up ${variant.name}`)
  }
  return await interleave(variants, options.rounds, async (variant, round) => {
    const sample = await measure(variant, options.seconds)
    progress(`round ${round + 1}: ${variant.name}: ${Math.round(sample.requestsPerSecond)}/s`)
    return sample
  })
}

function report(samples: Map<Variant, LoadSample[]>): Findings {
  const of = (count: number, label: string, pick: (sample: LoadSample) => number) => {
    const variant = variants.find((each) => each.count === count && each.kind.label === label)
    return variant === undefined ? [] : figures(samples, variant, pick)
  }
  const rate = (count: number, label: string) => of(count, label, (sample) => sample.requestsPerSecond)
  const cpu = (count: number, label: string) => of(count, label, (sample) => sample.cpuMicrosPerRequest)
  const median = (values: readonly number[]) => spreadOf(values).median
  return {
    title: 'Growth: nodes on one PostgreSQL',
    method: `${clients} connections, shared evenly among the nodes; ten workspaces in turn. Nodes, load and PostgreSQL (\`fsync=off\`, as in the tests) share the cores of this machine, so that more nodes cannot do more here than the cores allow: what shows is what each request costs a node, and that nodes do not hinder each other.`,
    columns: ['requests/s', '/ one node', 'CPU µs/request, nodes alone'],
    rows: kinds.flatMap(({ label }) =>
      counts.map((count) =>
        row(
          `${label}, ${count} ${count === 1 ? 'node' : 'nodes'}`,
          rate(count, label),
          ratios(rate(count, label), rate(1, label)),
          cpu(count, label),
        ),
      ),
    ),
    goals: [],
    curves: [
      {
        file: 'growth-nodes',
        title: 'Nodes on one PostgreSQL, all on the same cores',
        unit: 'requests/s',
        axis: 'nodes',
        steps: counts.map(String),
        lines: kinds.map(({ label }) => ({ label, values: counts.map((count) => median(rate(count, label))) })),
      },
    ],
  }
}
