import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer, type Server, type ServerOptions } from '@service/server'
import SqliteDatabase from 'better-sqlite3'
import { parentStatements, parents, type Volume, volumeStatements } from './volume-rows.ts'

const help = `Measures requests to a platform with large workspaces beside an empty one.

Usage: node bench/volume.ts fill <directory> [--tickets 2000000] [--workspaces 2000]
       node bench/volume.ts measure <directory or postgres url> <empty directory or postgres url> [--above]

fill      Creates a database: one workspace with this many tickets, and a hundredth of that in the others together. About
          two minutes and 1.6 GB for two million tickets. \`service-server db copy\` fills PostgreSQL from it.
measure   Prints the median times of each request and their ratio. Both platforms run in this process, in turn. With
          --above, prints only requests above 50 ms or 10 times the empty platform.

Build first: pnpm build:server`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tickets: { type: 'string', default: '2000000' },
    workspaces: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '7' },
    above: { type: 'boolean', default: false },
  },
})

const password = 'the password of this benchmark'
const email = 'owner@acme.example'
const key = 'a key that is only used in this benchmark, of enough characters'

const placeOf = (location: string): ServerOptions =>
  location.includes('://') ? { databaseUrl: location, encryptionKey: key } : { data: location, encryptionKey: key }

const open = (location: string) =>
  createServer({ ...placeOf(location), rateLimit: 'off', egressAllow: ['acme.example'] } as ServerOptions)

const report = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

async function fill(directory: string): Promise<void> {
  const volume: Volume = {
    dialect: 'sqlite',
    tickets: Number(values.tickets),
    workspaces: Number(values.workspaces),
    now: Date.now() * 1000,
  }
  await (await open(directory)).close()
  execute(
    directory,
    parentStatements(volume).filter(
      (statement) => !/into (subscriptions|delivery_queues|subscription_events)/.test(statement),
    ),
  )
  await seed(directory)
  execute(directory, volumeStatements(volume))
  await index(directory)
}

function execute(directory: string, statements: Iterable<string>): void {
  const database = new SqliteDatabase(join(directory, 'service.db'))
  database.pragma('synchronous = off')
  database.pragma('foreign_keys = off')
  for (const statement of statements) {
    report(statement.slice(0, 60).replaceAll(/\s+/g, ' '))
    database.exec(statement)
  }
  database.close()
}

/** What only the platform can write: encrypted URLs and a password. */
async function seed(directory: string): Promise<void> {
  const server = await open(directory)
  const at = { workspace: 1 }
  for (let index = 0; index < parents.subscriptions; index += 1)
    await server.admin.webhooks.create(at, { url: `https://acme.example/${index}`, events: ['*'] })
  const user = await server.admin.users.create({ name: 'Owner', email, is_instance_admin: true })
  const { link } = await server.admin.users.resetPassword({ id: user.id })
  const code = new URL(link, 'http://x').searchParams.get('code') ?? ''
  await server.admin.passwordResets.complete({ code, password })
  await server.admin.members.create(at, { name: 'Owner', email, role: 'owner' })
  await server.close()
}

/** A search indexes pending tickets. The request may time out before all are. */
async function index(directory: string): Promise<void> {
  report('indexing tickets')
  const server = await open(directory)
  const search = () => server.admin.tickets.list({ workspace: 1 }, { search: 'invoice' }).safe()
  while (!(await search()).ok) report('indexing tickets')
  await server.close()
}

const filters = [
  'status=open',
  'status=closed',
  'status=active',
  'status=nothing',
  'assigned_to=7',
  'assigned_to=none',
  'priority=urgent',
  'project_id=3',
  'tag=billing',
  'tag=nothing',
  'search=invoice',
  'search=inv',
  'search=in',
  'search=unicorn',
  'search=TKT-00050',
  'search=invoice%20coupon',
  'search=nothing',
  'due=today',
  'due=overdue',
  'due=week',
  'sla=over',
  'sla=at_risk',
  'sla=over&priority=low',
  'due=today&tag=billing',
  'due=overdue&tag=billing',
  'due=today&search=invoice',
  'status=active&assigned_to=7',
  'status=active&assigned_to=none',
  'status=active&priority=urgent',
  'status=active&search=invoice',
  'assigned_to=none&status=open&project_id=3',
  'status=open&tag=vip&search=invoice',
  ...['priority', 'sla', 'due', 'updated'].flatMap((sort) =>
    [
      '',
      '&status=active',
      '&status=open',
      '&status=closed',
      '&priority=low',
      '&assigned_to=7',
      '&project_id=3',
      '&tag=billing',
      '&tag=nothing',
      '&search=unicorn',
      '&status=active&search=unicorn',
      '&assigned_to=7&status=open',
    ].map((filter) => `sort=${sort}${filter}`),
  ),
]

const lists = [
  'tasks',
  'tasks?status=review',
  'tasks?status=nothing',
  'tasks?priority=urgent',
  'tasks?assigned_to=7',
  'tasks?assigned_to=none',
  'tasks?project_id=3&status=todo',
  'tasks?sort=due',
  'tasks?sort=priority',
  'tasks?sort=due&project_id=3',
  'tasks?sort=priority&priority=nothing',
  'projects',
  'accounts',
  'deals',
  'deals?stage=won',
  'deals?sort=amount',
  'deals?sort=close&stage=proposal',
  'deals?owner_id=7',
  'leads',
  'leads?status=new',
  'leads?source=facebook',
  'leads?sort=value',
  'leads?status=new&source=facebook',
  'lead-enquiries',
  'employees',
  'employees?search=person',
  'punches',
  'attendance-sessions',
  'attendance-sessions?employee_id=7',
  'unmatched-punches',
  'devices',
  'activities',
  'activities?provider=gitlab',
  'activities?repository=northwind/api',
  'activities?provider=gitlab&repository=nothing',
  'error-reports',
  'error-reports?sort=last_seen',
  'error-reports?app=api',
  'error-reports?level=critical',
  'error-reports?search=read',
  'error-reports?search=nothing',
  'error-reports?status=open',
  'error-reports?status=resolved&sort=last_seen',
  'error-reports/count?status=open',
  'deliveries',
  'deliveries?state=held',
  'deliveries?state=failed',
  'deliveries?state=pending',
  'deliveries?state=succeeded',
  'deliveries?subscription_id=7&state=held',
  'webhooks',
  'webhooks?state=failing',
  'events',
  'inbound-deliveries',
  'inbound-deliveries?integration=errors',
  'audit-log',
  'audit-log?operation=leads.update',
  'audit-log?operation=nothing',
  'audit-log?actor=nothing',
  'members',
  'messages',
  'messages?channel_id=2',
  'automation-runs',
  'tokens',
  'overview',
  'overview?period=7d',
  'overview?period=30d',
  'overview?period=30d&subscription_id=7',
]

const pages = [
  'overview',
  'overview?period=30d',
  'tickets',
  'tickets?status=active&sort=sla',
  'tickets?search=invoice',
  'tickets/12',
  'tasks',
  'tasks?view=list',
  'projects',
  'deals',
  'leads',
  'accounts',
  'errors',
  'activity',
  'webhooks',
  'webhooks/3',
  'attendance',
  'attendance/week',
  'attendance/punches',
  'attendance/unmatched',
  'employees',
  'messages/2',
  'automation',
  'automation/runs',
  'integrations',
  'tokens',
  'settings',
  'settings/members',
  'settings/audit',
  'settings/system',
  'settings/system/tables',
  'search?q=invoice',
  'search?q=unicorn',
]

const paths = [
  ...filters.map((filter) => `/admin/v1/workspaces/1/tickets?${filter}`),
  ...filters.slice(0, 32).map((filter) => `/admin/v1/workspaces/1/tickets/count?${filter}`),
  ...lists.map((list) => `/admin/v1/workspaces/1/${list}`),
  ...['workspaces', 'users', 'system', 'system/tables', 'audit-log', 'audit-log?operation=nothing'].map(
    (path) => `/admin/v1/${path}`,
  ),
  ...pages.map((page) => `/dashboard/w/1/${page}`),
  ...['workspaces', 'people', 'people/1', 'account'].map((page) => `/dashboard/${page}`),
]

interface Session {
  get(path: string): Promise<Response>
}

async function signIn(server: Server): Promise<Session> {
  const { token } = await server.admin.sessions.create({ email, password })
  const form = {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  } as const
  const answer = await server.fetch(new URL('/dashboard/sign-in', server.origin), form)
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  return {
    get: (path) =>
      server.fetch(new URL(path, server.origin), {
        headers: path.startsWith('/admin') ? { authorization: `Bearer ${token}` } : { cookie },
        redirect: 'manual',
      }),
  }
}

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const lowest = (times: readonly number[]) => Math.min(...times)

async function timeOf({ get }: Session, path: string): Promise<number> {
  const startedAt = performance.now()
  const answer = await get(path)
  await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return performance.now() - startedAt
}

async function measure(full: string, empty: string): Promise<void> {
  const [large, small] = [await open(full), await open(empty)]
  if ((await small.admin.workspaces.list()).data.length === 0) await seedEmpty(small)
  const sessions = [await signIn(large), await signIn(small)] as const
  process.stdout.write('| request | empty, ms | large, ms | ratio |\n|---|--:|--:|--:|\n') // medians, and the lowest
  let above = 0
  for (const path of paths) {
    const times = await medianTimes(sessions, path)
    const isAbove = times.lowest > 50 || times.lowest > 10 * Math.max(1, times.lowestSmall)
    if (isAbove) above += 1
    if (isAbove || !values.above) process.stdout.write(toLine(path, times, isAbove))
  }
  report(`${above} of ${paths.length} requests above 50 ms or 10 times the empty database`)
  await Promise.all([large.close(), small.close()])
}

interface Times {
  readonly large: number
  readonly small: number
  /** On a busy machine, the lowest time says more about the request. */
  readonly lowest: number
  readonly lowestSmall: number
}

const listOf = (path: string) =>
  path.endsWith('/messages/2') ? path.replace('/messages/2', '/tasks') : path.replace(/\/\d+$/, '')

/** From the sixth execution on, PostgreSQL may use one plan of a named statement for all values, which may be worse. */
const warmUps = 6

/** Both in turn. An empty platform has no record to open, so its list is measured instead. */
async function medianTimes([large, small]: readonly [Session, Session], path: string): Promise<Times> {
  const times: { large: number[]; small: number[] } = { large: [], small: [] }
  for (let round = 0; round < warmUps; round += 1) {
    await timeOf(large, path)
    await timeOf(small, listOf(path))
  }
  for (let round = 0; round < Number(values.rounds); round += 1) {
    times.large.push(await timeOf(large, path))
    times.small.push(await timeOf(small, listOf(path)))
  }
  return {
    large: median(times.large),
    small: median(times.small),
    lowest: lowest(times.large),
    lowestSmall: lowest(times.small),
  }
}

const toLine = (path: string, { large, small, lowest: least, lowestSmall }: Times, isAbove: boolean) => {
  const name = path.replace('/admin/v1/workspaces/1/', '').replace('/dashboard/w/1/', 'page ')
  return `| ${isAbove ? `**${name}**` : name} | ${small.toFixed(1)} (${lowestSmall.toFixed(1)}) | ${large.toFixed(1)} (${least.toFixed(1)}) | ${(least / lowestSmall).toFixed(1)} |\n`
}

async function seedEmpty(server: Server): Promise<void> {
  const { id } = await server.admin.workspaces.create({ name: 'Empty' })
  const user = await server.admin.users.create({ name: 'Owner', email, is_instance_admin: true })
  const { link } = await server.admin.users.resetPassword({ id: user.id })
  await server.admin.passwordResets.complete({
    code: new URL(link, 'http://x').searchParams.get('code') ?? '',
    password,
  })
  await server.admin.members.create({ workspace: id }, { name: 'Owner', email, role: 'owner' })
}

const [command, first, second] = positionals
if (command === 'fill' && first !== undefined) await fill(first)
else if (command === 'measure' && first !== undefined && second !== undefined) await measure(first, second)
else process.stdout.write(`${help}\n`)
