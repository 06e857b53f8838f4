import { createServer, type Server } from '@service/server'
import { rebuildTicketSearch } from '../../packages/server/src/modules/tickets/rebuild-search.ts'
import { openSqlite } from '../../packages/server/src/store/sqlite.ts'
import { temporaryFolder } from '../data/folder.ts'
import { fillSqlite, type TicketOwners } from '../data/many-tickets.ts'
import { databaseFile } from '../data/seed.ts'
import { makeOwners } from '../data/ticket-owners.ts'
import { atMost, type Findings, row } from '../findings.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const tickets = 120_000
const requestsPerRound = 20
const mostMs = 20

interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

interface Page {
  readonly name: string
  readonly request: (visit: Visit) => Request
}

/** Who asks. */
interface Visit {
  readonly workspace: number
  readonly cookie: string
  readonly token: string
}

const dashboardPage =
  (query: string) =>
  ({ workspace, cookie }: Visit) => ({
    path: `/dashboard/w/${workspace}/tickets${query}`,
    headers: { cookie },
  })

const bareList: Page = {
  name: 'GET /api/v1/…/tickets, without a page',
  request: ({ workspace, token }) => ({
    path: `/api/v1/workspaces/${workspace}/tickets`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  }),
}
const newest: Page = { name: 'the newest 50', request: dashboardPage('') }
const open: Page = { name: 'status open', request: dashboardPage('?status=open') }
const search: Page = { name: 'a word of one in 100', request: dashboardPage('?search=onepercent') }
const older: Page = { name: 'from the middle on', request: dashboardPage(`?before=${tickets / 2}`) }
const pages = [newest, open, search, older]

/** The page of tickets over a list that has grown: session, rights, rows, counts, filters and HTML. */
export const dashboard: Scenario = {
  steps: (options) => 1 + options.rounds * (pages.length + 1),
  async run({ rounds }, progress) {
    using folder = temporaryFolder()
    const data = folder.path('dashboard')
    const owners = await makeOwners({ data, synchronous: 'normal' })
    fillSqlite(databaseFile(data), { ...owners, tickets })
    const store = openSqlite({ path: databaseFile(data), synchronous: 'normal' })
    await rebuildTicketSearch(store)
    await store.close()
    progress(`made a database of ${tickets} tickets`)
    await using server = await createServer({ data, rateLimit: 'off' })
    const visit = await visitOf(server, owners)
    const measure = (page: Page) => timesOf(server, page.request(visit))
    for (const page of [bareList, ...pages]) await measure(page)
    const samples = await interleave([bareList, ...pages], rounds, async (page, round) => {
      const times = await measure(page)
      progress(`round ${round + 1}: ${page.name}`)
      return times
    })
    return report(samples)
  },
}

async function visitOf({ admin, fetch }: Server, { workspaces, users }: TicketOwners): Promise<Visit> {
  const [workspace] = workspaces
  const { link } = await admin.users.signInLink({ id: users[0] ?? 0 })
  const signedIn = await fetch(link)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const { token } = await admin.tokens.create({ workspace }, { user_id: users[0] ?? 0, scopes: ['tickets:read'] })
  return { workspace, cookie, token }
}

interface Times {
  readonly median: number
  readonly p95: number
  readonly cpu: number
}

async function timesOf(server: Server, { path, headers }: Request): Promise<Times> {
  const times: number[] = []
  const before = process.cpuUsage()
  for (let sent = 0; sent < requestsPerRound; sent += 1) {
    const startedAt = performance.now()
    const answer = await server.fetch(path, { headers })
    await answer.arrayBuffer()
    times.push(performance.now() - startedAt)
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}.`)
  }
  const { user, system } = process.cpuUsage(before)
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95), cpu: (user + system) / 1000 / requestsPerRound }
}

function report(samples: Map<Page, Times[]>): Findings {
  const medians = (page: Page) => figures(samples, page, ({ median }) => median)
  const cpu = (page: Page) => figures(samples, page, (times) => times.cpu)
  const slowest = (page: Page) => figures(samples, page, ({ p95 }) => p95)
  return {
    title: 'Dashboard: the page of tickets over 100 k',
    method: `One workspace has ${(tickets * 0.9).toLocaleString('en')} tickets on SQLite. server.fetch in process, ${requestsPerRound} requests one after the other per round, without a port; the ratio is that of the medians within a round. The bare list is answered from memory. A page waits for nothing but the processor, so its goal is about CPU: where others work too, the time on the clock is also theirs.`,
    columns: ['CPU ms', 'median ms', 'p95 ms', 'median / bare list'],
    rows: [bareList, ...pages].map((page) =>
      row(page.name, cpu(page), medians(page), slowest(page), ratios(medians(page), medians(bareList))),
    ),
    goals: pages.map((page) => atMost(`CPU per page, ${page.name}, ms`, mostMs, cpu(page))),
  }
}
