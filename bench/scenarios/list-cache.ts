import { writeFileSync } from 'node:fs'
import { temporaryFolder } from '../data/folder.ts'
import { copyData, type SeededWorkspace, seed } from '../data/seed.ts'
import { atMost, because, type Findings, row } from '../findings.ts'
import { contest, contestSteps } from '../load/contest.ts'
import { type LoadSample, startLoad } from '../load/load.ts'
import type { PlannedRequest } from '../load/plan.ts'
import { createTicket, readTickets } from '../load/ticket-requests.ts'
import { type ServerProcess, startFloor, startOurs } from '../processes/server.ts'
import { figures } from '../rounds.ts'
import { ratios } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const clients = 32
const tickets = 100_000

const variants = {
  least: { name: 'the least: node:http, the bytes of one list for whatever is asked', on: 'least' },
  floor: { name: 'floor: hand-written, reads the database each time', on: 'floor' },
  unchanged: { name: 'ours, a list that stays the same', on: 'quiet' },
  notModified: { name: 'ours, the same with If-None-Match: 304', on: 'quiet' },
  created: { name: 'ours, POST of a ticket', on: 'changing' },
  mixed: { name: 'ours, nine lists and one POST in turn', on: 'changing' },
  alternating: { name: 'ours, one list and one POST in turn: each list is read anew', on: 'changing' },
} as const
type CacheVariant = (typeof variants)[keyof typeof variants]
const all: readonly CacheVariant[] = Object.values(variants)

/** What keeping lists as bytes saves, and what it costs where they change. */
export const listCache: Scenario = {
  steps: (options) => 1 + contestSteps(all, options),
  async run(options, progress) {
    using folder = temporaryFolder()
    await using stack = new AsyncDisposableStack()
    const workspaces = await seed(folder.path('floor'), tickets)
    copyData(folder.path('floor'), folder.path('quiet'))
    copyData(folder.path('floor'), folder.path('changing'))
    progress(`made a database of ${tickets} tickets`)
    const quiet = stack.use(await startOurs(folder.path('quiet')))
    const lists = await Promise.all(workspaces.map((workspace) => listOf(quiet, workspace)))
    writeFileSync(folder.path('list.json'), lists[0]?.body ?? '')
    const servers = {
      quiet,
      least: stack.use(await startFloor('bytes-server', folder.path('list.json'))),
      floor: stack.use(await startFloor('list-server', folder.path('floor'))),
      changing: stack.use(await startOurs(folder.path('changing'))),
    }
    const requests = requestsOf(
      workspaces,
      lists.map(({ etag }) => etag),
    )
    const load = stack.use(startLoad())
    const samples = await contest(all, { ...options, progress }, (variant, seconds) =>
      load.measure(servers[variant.on], { clients, seconds, requests: requests.get(variant) ?? [] }),
    )
    return report(samples)
  },
}

function requestsOf(
  workspaces: readonly SeededWorkspace[],
  tags: readonly string[],
): ReadonlyMap<CacheVariant, readonly PlannedRequest[]> {
  const lists = workspaces.map((workspace) => readTickets(workspace))
  const creations = workspaces.map(createTicket)
  // All workspaces in turn, so that a write stands between two lists of the same one.
  const mixed = Array.from({ length: 10 }, (_, turn) =>
    workspaces.map((workspace, index) => (index === turn ? createTicket(workspace) : readTickets(workspace))),
  ).flat()
  return new Map<CacheVariant, readonly PlannedRequest[]>([
    [variants.least, lists],
    [variants.floor, lists],
    [variants.unchanged, lists],
    [variants.notModified, workspaces.map((workspace, index) => readTickets(workspace, tags[index]))],
    [variants.created, creations],
    [variants.mixed, mixed],
    [variants.alternating, workspaces.flatMap((workspace) => [readTickets(workspace), createTicket(workspace)])],
  ])
}

async function listOf({ baseUrl }: ServerProcess, { id, token }: SeededWorkspace) {
  const response = await fetch(`${baseUrl}/workspaces/${id}/tickets`, { headers: { authorization: `Bearer ${token}` } })
  const body = await response.text()
  const etag = response.headers.get('etag')
  if (etag === null) throw new Error('The list has no entity tag.')
  return { body, etag }
}

const whyNotLess =
  'nothing is read or written anew any more. Of what is left a profile has a fifth in the write to the socket, a tenth in the token, and the rest evenly over Node’s HTTP, a Response of the web standard, which the server answers everywhere, routes, limits, metrics and headers.'

function report(samples: Map<CacheVariant, LoadSample[]>): Findings {
  const cpu = (variant: CacheVariant) => figures(samples, variant, (sample) => sample.cpuMicrosPerRequest)
  const rate = (variant: CacheVariant) => figures(samples, variant, (sample) => sample.requestsPerSecond)
  const toFloor = (values: readonly number[]) => ratios(values, cpu(variants.floor))
  const created = cpu(variants.created)
  const missed = cpu(variants.alternating).map((each, round) => 2 * each - (created[round] ?? Number.NaN))
  const uncached = cpu(variants.floor).map((each, round) => 0.9 * each + 0.1 * (created[round] ?? Number.NaN))
  return {
    title: 'List cache: GET 50 tickets that stay, and that change',
    method: `${clients} keep-alive connections over loopback, ten workspaces of ${tickets} tickets in turn, SQLite. The floor is the hand-written server of the scenario \`list\`, which reads the database at each request, as ours does for a list that has changed. What one list costs after a write is twice the mean of "one list and one POST" less a POST. The mix is compared with nine reads of the floor and one POST of ours. Ratios are taken within a round.`,
    columns: ['CPU µs/request', 'requests/s', 'CPU / floor'],
    rows: all.map((variant) => row(variant.name, cpu(variant), rate(variant), toFloor(cpu(variant)))),
    goals: [
      because(atMost('unchanged list, CPU / read each time', 0.2, toFloor(cpu(variants.unchanged))), whyNotLess),
      because(atMost('304, CPU / read each time', 0.2, toFloor(cpu(variants.notModified))), whyNotLess),
      atMost('90 % lists and 10 % POST, CPU / without keeping lists', 0.6, ratios(cpu(variants.mixed), uncached)),
      atMost('a list after a write, CPU / read each time', 1.05, toFloor(missed)),
    ],
  }
}
