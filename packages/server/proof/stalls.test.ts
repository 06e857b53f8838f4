import { createAdminClient } from '@service/client/admin'
import { webhookSecretHeader } from '@service/contract'
import { expect, onTestFinished, test } from 'vitest'
import { freshDirectory } from '../test/fresh-directory.ts'
import type { Finding } from './findings.ts'
import { type RunningServer, startServer } from './server-process.ts'

/** Other requests wait at most this long for the largest accepted request of each kind. */
const longestMs = 250
const ticketCount = 3000

const monitor = new URL('stall-monitor.mjs', import.meta.url).href

async function startMonitored(args: readonly string[]): Promise<RunningServer> {
  const server = await startServer(['--data', await freshDirectory(), ...args], { NODE_OPTIONS: `--import ${monitor}` })
  onTestFinished(async () => void (await server.end('SIGTERM')))
  return server
}

async function startDemo() {
  const server = await startMonitored(['--demo'])
  const admin = createAdminClient({ baseUrl: `${server.url}/admin/v1`, token: server.adminToken })
  return { server, admin, at: { workspace: server.workspace } }
}

type Site = Awaited<ReturnType<typeof startDemo>>

/** The longest stall since the last call. */
async function longestStall({ errors, signal }: RunningServer): Promise<number> {
  const stalls = () => errors.filter((line) => line.startsWith('stall '))
  const before = stalls().length
  signal('SIGUSR2')
  await expect.poll(() => stalls().length).toBeGreaterThan(before)
  return Number(stalls().at(-1)?.slice('stall '.length))
}

/** Twice, because the first time includes compiling. The second counts. */
async function stallOf({ server }: Site, work: () => Promise<unknown>): Promise<number> {
  await work()
  await longestStall(server)
  await work()
  return longestStall(server)
}

/** Expressions of the allowed length, from the most work to the least. The first that is accepted counts. */
const largestExpressions = [
  `join('', [${Array.from({ length: 40 }, () => 'to_string(@)').join(', ')}])`.slice(0, 500),
  `not_null(${Array.from({ length: 40 }, () => 'to_string(@)').join(', ')})`.slice(0, 500),
  Array.from({ length: 40 }, () => 'to_string(@)').join(' || '),
  'to_string(@)',
  'message',
]

async function largestMapping(site: Site): Promise<() => Promise<unknown>> {
  const { admin, at, server } = site
  const fields = ['message', 'exception', 'file', 'url', 'method', 'framework', 'environment', 'app', 'severity']
  const { secret } = await admin.integrations.rotateSecret({ ...at, integration: 'errors' })
  for (const expression of largestExpressions) {
    const mapping = { fields: Object.fromEntries(fields.map((field) => [field, expression])) }
    const saved = await admin.integrations.update({ ...at, integration: 'errors' }, { enabled: true, mapping }).safe()
    if (saved.ok) break
  }
  const report = { message: 'a b '.repeat(200), stack: 'at f (file.js:1:1)\n'.repeat(10) }
  const body = JSON.stringify(Array.from({ length: 900 }, (_, index) => ({ ...report, app: `app ${index}` })))
  return async () => {
    const headers = { 'content-type': 'application/json', [webhookSecretHeader]: secret ?? '' }
    const answer = await fetch(`${server.url}/api/webhooks/${at.workspace}/errors`, { method: 'POST', headers, body })
    expect([answer.status, body.length < 1024 * 1024]).toEqual([200, true])
    await answer.arrayBuffer()
  }
}

async function signIn({ server, admin, at }: Site): Promise<Record<string, string>> {
  const email = 'ada@stalls.example'
  const password = 'correct horse battery staple'
  await admin.members.create(at, { name: 'Ada', email, role: 'admin' })
  const { data } = await admin.users.list()
  const { link } = await admin.users.resetPassword({ id: data.find((user) => user.email === email)?.id ?? 0 })
  const code = new URL(link, server.url).searchParams.get('code') ?? ''
  await admin.passwordResets.complete({ code, password })
  const answer = await fetch(`${server.url}/dashboard/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  })
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0])
  return { cookie: cookie.join('; '), 'sec-fetch-site': 'same-origin' }
}

const finding = (what: string, ms: number): Finding => ({
  what: `the longest stall under the largest ${what}`,
  wanted: `at most ${longestMs} ms`,
  measured: `${Math.round(ms)} ms`,
  isMet: ms <= longestMs,
})

/** The largest texts and lists that a ticket accepts. */
const largeTicket = (index: number) => ({
  title: `=${'t'.repeat(240)} ${index}`,
  description: 'd;=1 '.repeat(13_000),
  tags: Array.from({ length: 50 }, (_, tag) => `${'-tag;'.repeat(12)}${tag}`),
})

test('the largest accepted mapping, bulk form, export, and seed let other requests run', async () => {
  const site = await startDemo()
  const { server, admin, at } = site
  const headers = await signIn(site)
  const ids: number[] = []
  for (let index = 0; index < ticketCount; index += 1) {
    const ticket = index < ticketCount - 300 ? { title: `Ticket ${index}` } : largeTicket(index)
    ids.push((await admin.tickets.create(at, ticket)).id)
  }
  const dashboard = `${server.url}/dashboard/w/${at.workspace}`
  let round = 0
  const bulkForm = async () => {
    round += 1
    const fields = [
      ['category', `c${round}`],
      ['priority', round % 2 === 0 ? 'low' : 'high'],
    ]
    const selected = ids.slice(-100).map((id) => ['id', String(id)])
    const body = new URLSearchParams([...fields, ...selected])
    const answer = await fetch(`${dashboard}/tickets/bulk`, { method: 'POST', headers, body, redirect: 'manual' })
    expect(answer.status).toBe(303)
  }
  const download = (path: string) => async () => {
    const answer = await fetch(dashboard + path, { headers })
    expect([path, answer.status]).toEqual([path, 200])
    await answer.arrayBuffer()
  }
  const findings = [
    finding('mapping', await stallOf(site, await largestMapping(site))),
    finding('bulk form', await stallOf(site, bulkForm)),
    finding('export of tickets', await stallOf(site, download('/tickets/export'))),
    finding('export of the audit log', await stallOf(site, download('/settings/audit/export'))),
    await findSeedStall(),
  ]
  process.stdout.write(`${findings.map(({ what, measured }) => `${what}: ${measured}`).join('\n')}\n`)
  expect(findings.filter(({ isMet }) => !isMet)).toEqual([])
})

/** Also a start without a seed stalls while it loads its modules, before it answers requests. */
async function findSeedStall(): Promise<Finding> {
  const stallOfStart = async (...args: readonly string[]) => longestStall(await startMonitored(args))
  const usualMs = await stallOfStart('--seed', 'demo')
  const ms = await stallOfStart('--seed', 'large')
  return {
    ...finding('seed of the platform (10,000 tickets)', ms),
    wanted: `at most ${longestMs} ms, or the ${Math.round(usualMs)} ms of a start with a small seed`,
    isMet: ms <= Math.max(longestMs, 1.2 * usualMs),
  }
}
