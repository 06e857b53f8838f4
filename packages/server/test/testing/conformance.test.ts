import { apiRoutes, inboundRoutes } from '@service/contract'
import { expect, it, onTestFinished } from 'vitest'
import { credentialsOf } from '../../src/cli/demo.ts'
import type { ConformanceTarget } from '../../src/conformance/probe.ts'
import { type Finding, runChecks } from '../../src/conformance/run-checks.ts'
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/entries/testing.ts'
import { runCliToEnd } from '../cli-process.ts'

/** The demo with everything that the checks need. */
async function start(options: TestServerOptions = {}) {
  const server = await createTestServer({ seed: 'demo', ...options })
  onTestFinished(() => server.close())
  const demo = credentialsOf(server.seeded)
  if (demo === undefined) throw new Error('The demo has no credentials.')
  const narrow = await server.admin.tokens.create(
    { workspace: demo.workspace },
    { user_id: demo.employee.user_id, scopes: ['projects:read'] },
  )
  const target: ConformanceTarget = {
    baseUrl: `${server.origin}/api/v1`,
    webhookBaseUrl: `${server.origin}/api`,
    workspace: demo.workspace,
    token: demo.token,
    narrowToken: narrow.token,
    secrets: { errors: demo.secrets.errors, attendance: demo.secrets.attendance, leads: demo.secrets.leads['website'] },
    employeeCode: demo.employee.employee_code,
    deviceId: demo.device.id,
    fetch: server.fetch,
  }
  return { server, target, demo }
}

const differences = (findings: readonly Finding[]) => findings.filter(({ result }) => result === 'differs')

it('passes all checks on this platform, covers every operation, and causes no violations', async () => {
  const { server, target } = await start({ contract: 'collect' })
  const findings = await runChecks(target, { write: true })
  expect(findings.filter(({ result }) => result !== 'same')).toEqual([])
  const entries = server.journal.entries()
  const reached = new Set(entries.map(({ operation }) => operation))
  expect([...apiRoutes, ...inboundRoutes].filter(({ operation }) => !reached.has(operation))).toEqual([])
  expect(entries.flatMap(({ violations }) => violations.filter(({ side }) => side === 'response'))).toEqual([])
})

it('writes nothing without the option', async () => {
  const { server, target, demo } = await start()
  const before = await contents(server, demo.workspace)
  const findings = await runChecks(target, { write: false })
  expect(await contents(server, demo.workspace)).toEqual(before)
  expect(differences(findings)).toEqual([])
  expect(findings.filter(({ why }) => why === 'needs --write')).not.toEqual([])
})

async function contents({ admin }: TestServer, workspace: number) {
  return {
    tickets: (await admin.tickets.list({ workspace })).data,
    events: (await admin.events.list({ workspace })).data.toReversed(),
  }
}

it('reports differences and whether the document covers them', async () => {
  const { target } = await start({ createdStatus: 200 })
  const other = async (request: Request) => {
    const response = await target.fetch(request)
    if (response.status === 401) return Response.json({ error: 'no' }, { status: 401 })
    return request.url.endsWith('/projects') && response.ok ? Response.json([]) : response
  }
  const findings = await runChecks({ ...target, fetch: other }, { write: true })
  expect(differences(findings).map(({ check }) => [check.basis, check.title])).toEqual([
    ['decided', 'an error is JSON with a message'],
    ['documented', 'the list of projects is {data: […]} in the documented shape'],
    ['documented', 'the list of projects holds at most 50, newest first'],
    ['decided', 'creates answer 201'],
  ])
})

it('names the option that a skipped check needs', async () => {
  const { target } = await start()
  const { narrowToken: _, employeeCode: __, ...bare } = target
  const findings = await runChecks({ ...bare, secrets: {} }, { write: true })
  expect(findings.filter(({ result }) => result === 'skipped').map(({ why }) => why)).toEqual([
    'needs --narrow-token (one without tickets:read)',
    'needs --employee-code',
    'needs --attendance-secret',
    'needs --attendance-secret',
    'needs --errors-secret',
    'needs --leads-secret',
  ])
})

it('signs its Git event with the secret of GitHub, and skips it without one', async () => {
  const { server, target, demo } = await start()
  const secret = 'a-secret-of-github'
  await server.admin.integrations.update({ workspace: demo.workspace, integration: 'github' }, { secret })
  const check = async (git?: string) => {
    const findings = await runChecks({ ...target, secrets: { ...target.secrets, git } }, { write: true })
    return findings.filter(({ check, result }) => check.title.startsWith('a Git event') || result !== 'same')
  }
  expect(await check(secret)).toMatchObject([{ result: 'same' }])
  expect(await check()).toMatchObject([{ result: 'skipped', why: 'needs --git-secret' }])
})

const conformance = (...args: string[]) => runCliToEnd(['conformance', ...args])

it('runs from the command line, by default in workspace 1, and prints a summary', async () => {
  const { server, demo } = await start()
  const { url } = await server.listen()
  expect(demo.workspace).toBe(1)
  const common = ['--base-url', `${url}/api/v1`, '--token', demo.token]
  const result = await conformance(...common)
  expect(result.stdout).toContain('✓ §5  a missing bearer token gives 401')
  expect(result.stdout).toMatch(
    /\d+ passed, 0 contradict the document, 0 differ where the document is silent, \d+ skipped/,
  )
  expect(result.code).toBe(0)
  const { summary } = JSON.parse((await conformance(...common, '--write', '--json')).stdout)
  expect(summary).toMatchObject({ broken: 0, different: 0 })
})

it('exits with 1 if a deployment contradicts the document', async () => {
  const { server, demo } = await start()
  const { url } = await server.listen()
  server.faults.add({ match: { operation: 'tickets.list' }, respond: { status: 200, body: [] } })
  const result = await conformance('--base-url', `${url}/api/v1`, '--token', demo.token)
  expect(result.stdout).toContain('✗ §4  the list of tickets is {data: […]} in the documented shape')
  expect(result.code).toBe(1)
})

it('exits with 2 and checks nothing if the address, the token, or the workspace is wrong', async () => {
  const { server, demo } = await start()
  const { url } = await server.listen()
  const closed = 'http://127.0.0.1:1/api/v1'
  const valid = { 'base-url': `${url}/api/v1`, token: demo.token }
  for (const [changed, sentence] of [
    [{ 'base-url': closed }, `${closed} cannot be reached. Check --base-url.`],
    [{ 'base-url': `${url}/api/v2` }, `${url}/api/v2 has no API with workspace 1 (404).`],
    [{ 'base-url': url }, `${url} has no API with workspace 1 (404).`],
    [{ token: 'service_wrong' }, `${url}/api/v1 refuses the token (401). Check --token or SERVICE_TOKEN.`],
    [
      { workspace: '99' },
      'The token has no access to workspace 99 (403). Check --workspace and the scopes of the token.',
    ],
    [{ token: '' }, 'No API token. Pass --token or set SERVICE_TOKEN.'],
  ] as const) {
    const options = Object.entries<string>({ ...valid, ...changed })
    const { code, stdout, stderr } = await conformance(...options.flatMap(([name, value]) => [`--${name}`, value]))
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) })
  }
})
