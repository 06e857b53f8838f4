import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { createClient } from '@service/client'
import { expect, onTestFinished, test as plain, vi } from 'vitest'
import { startForTests, useService as useServiceAnywhere } from '../../src/testing/entries/testing.ts'
import { type Service, serviceTest, useService } from '../../src/testing/entries/vitest.ts'
import { freshDirectory } from '../fresh-directory.ts'

const clientOf = ({ baseUrl, token, workspace, fetch }: Service) => createClient({ baseUrl, token, workspace, fetch })

async function titles(service: Service): Promise<string[]> {
  return (await clientOf(service).tickets.list()).map(({ title }) => title)
}

const ownTitle = 'Only in this test'

const demo = serviceTest({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })

demo.for([1, 2, 3])('gives each test the seed and no data of other tests (%i)', async (_, { service }) => {
  const before = await titles(service)
  expect(before.length).toBeGreaterThan(0)
  expect(before).not.toContain(ownTitle)
  await clientOf(service).tickets.create({ title: ownTitle })
  expect(await titles(service)).toContain(ownTitle)
})

demo.concurrent.for(Array.from({ length: 20 }, (_, index) => index))(
  'isolates concurrent tests (%i)',
  async (number, { service, server, expect }) => {
    const before = await titles(service)
    await clientOf(service).tickets.create({ title: `${ownTitle} ${number}` })
    await server.settled()
    expect((await titles(service)).filter((title) => !before.includes(title))).toEqual([`${ownTitle} ${number}`])
  },
)

const unset = serviceTest({
  seed: undefined,
  clock: undefined,
  random: undefined,
  journal: undefined,
  testControls: undefined,
  contract: undefined,
  strict: undefined,
  allowFaultHeaders: undefined,
  transport: undefined,
  interceptOrigin: undefined,
  env: undefined,
})

unset('accepts options that are undefined', async ({ service }) => {
  expect(await titles(service)).toEqual([])
})

const origins: string[] = []
const overEnv = serviceTest({ env: { SERVICE_URL: 'origin', SERVICE_TOKEN: 'token' } })

overEnv('sets environment variables to its own port', async ({ service }) => {
  expect(process.env['SERVICE_URL']).toBe(service.origin)
  expect(process.env['SERVICE_TOKEN']).toBe(service.token)
  expect((await fetch(`${process.env['SERVICE_URL']}/livez`)).status).toBe(200)
  origins.push(service.origin)
})

overEnv('sets environment variables in a test without a fixture', async () => {
  expect((await fetch(`${process.env['SERVICE_URL']}/livez`)).status).toBe(200)
})

plain('restores environment variables after the test', () => {
  expect(origins).toHaveLength(1)
  expect([process.env['SERVICE_URL'], process.env['SERVICE_TOKEN']]).toEqual([undefined, undefined])
})

plain('rejects one variable for two concurrent tests', async (t) => {
  const options = { env: { SERVICE_URL: 'origin' } } as const
  process.env['SERVICE_URL'] = 'as it was'
  const ends: (() => Promise<void>)[] = []
  await startForTests({ after: (end) => void ends.push(end) }, options)
  await expect(startForTests({ after: t.onTestFinished }, options)).rejects.toThrow(
    'SERVICE_URL is set by another running test',
  )
  for (const end of ends) await end()
  expect(process.env['SERVICE_URL']).toBe('as it was')
  delete process.env['SERVICE_URL']
})

for (const [seed, options] of [
  ['no seed', {}],
  ['a seed without a token', { seed: { workspaces: [{ name: 'Acme' }] } }],
] as const) {
  serviceTest(options)(`keeps its token after a reset, with ${seed}`, async ({ server, service }) => {
    await clientOf(service).tickets.create({ title: ownTitle })
    await server.reset()
    expect(await titles(service)).toEqual([])
    expect([server.seeded.token, server.seeded.workspace]).toEqual([service.token, service.workspace])
  })
}

const intercepted = serviceTest({ transport: 'intercept', interceptOrigin: 'https://api.example.com' })

intercepted('handles fetch requests to a fixed origin', async ({ service }) => {
  expect(service.origin).toBe('https://api.example.com')
  expect((await fetch('https://api.example.com/livez')).status).toBe(200)
})

intercepted('handles fetch requests in a test without a fixture', async () => {
  expect((await fetch('https://api.example.com/livez')).status).toBe(200)
})

plain('refuses an origin to intercept without the transport that intercepts', () => {
  expect(() => serviceTest({ interceptOrigin: 'https://api.example.com' })).toThrow(
    "`interceptOrigin` needs `transport: 'intercept'`.",
  )
})

demo.fails('fails a test whose client violates the contract', async ({ service }) => {
  await service.fetch(`${service.baseUrl}/no-such-route`)
})

demo('passes if the test expected the error', async ({ server, service }) => {
  const result = await clientOf(service)
    .tickets.create({ title: 'x'.repeat(300) })
    .safe()
  expect(result).toMatchObject({ error: { code: 'validation' } })
  server.expectRequest({ operation: 'tickets.create', status: 422 })
})

plain('explains how to expect an error', async () => {
  const ends: (() => Promise<void>)[] = []
  const service = await startForTests({ after: (end) => void ends.push(end) })
  const path = `/api/v1/workspaces/${service.workspace}/tickets`
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
  expect((await service.fetch(path, { method: 'POST', headers, body: '{}' })).status).toBe(422)
  expect((await service.fetch(`${path}/nothing`, { headers })).status).toBe(404)
  const closed = await ends[0]?.().catch((thrown: Error) => thrown.message)
  expect(closed).toBe(
    [
      '2 problems:',
      `  - Contract violation in the request #1 POST ${path} (tickets.create) → 422`,
      '    $.title: The title field is required.',
      "    If the test does this on purpose, call server.expectRequest({ operation: 'tickets.create', status: 422 }) after it, or turn the check off with contract: 'off'.",
      `  - Contract violation in the request #2 GET ${path}/nothing → 404`,
      `    path: The contract has no GET ${path}/nothing.`,
      `    If the test does this on purpose, call server.expectRequest({ method: 'GET', path: '${path}/nothing', status: 404 }) after it, or turn the check off with contract: 'off'.`,
    ].join('\n'),
  )
})

plain('forks one seeded server for tests with the same options', async (t) => {
  let seeded = 0
  const options = {
    seed: async () => {
      seeded += 1
    },
  }
  const context = { after: t.onTestFinished }
  const services = await Promise.all([1, 2, 3].map(() => startForTests(context, options)))
  expect(seeded).toBe(1)
  expect(new Set(services.map(({ server }) => server)).size).toBe(3)
})

const service = useService({ seed: 'demo' })

plain('opens a service per test with hooks', async () => {
  const before = await titles(service)
  await clientOf(service).tickets.create({ title: ownTitle })
  expect(await titles(service)).toEqual([ownTitle, ...before])
})

plain('opens another service for the next test', async () => {
  expect(await titles(service)).not.toContain(ownTitle)
})

plain('lets an afterEach of the file use the server that the hook before it has verified', async () => {
  const acts: (() => Promise<void>)[] = []
  const register = (act: () => Promise<void>) => acts.push(act)
  const found = useServiceAnywhere({ seed: 'demo' }, { beforeEach: register, afterEach: register, afterAll: register })
  const [before, after, end] = acts
  await before?.()
  const { server } = found
  await found.fetch(`${found.baseUrl}/no-such-route`)
  await expect(after?.()).rejects.toThrow('The contract has no GET')
  expect(found.server.verify()).toBeUndefined()
  expect((await found.fetch('/livez')).status).toBe(200)
  await before?.()
  expect(found.server === server).toBe(false)
  expect(() => server.verify()).toThrow('This server is closed')
  await after?.()
  await end?.()
  expect(() => found.server).toThrow('The service exists only while a test runs')
})

plain('reports at the end of a file which failures its tests have not seen', async () => {
  const printed = vi.spyOn(console, 'info').mockReturnValue(undefined)
  onTestFinished(() => printed.mockRestore())
  const acts: (() => Promise<void>)[] = []
  const register = (act: () => Promise<void>) => acts.push(act)
  const found = useServiceAnywhere({ seed: 'demo' }, { beforeEach: register, afterEach: register, afterAll: register })
  const [before, after, end] = acts
  await before?.()
  found.server.faults.add({ name: 'an outage', match: { operation: 'tickets.create' }, respond: 503, times: 1 })
  await clientOf(found).tickets.create({ title: 'Printer' }, { idempotencyKey: true })
  await titles(found)
  await after?.()
  await before?.()
  found.server.faults.add({ name: 'a slow list', match: { operation: 'projects.list' }, latency: 5 }).remove()
  found.server.webhooks.deliveryFaults.add({ drop: true })
  await after?.()
  await end?.()
  expect(printed.mock.calls).toEqual([
    [
      'Faults that never applied: a slow list, deliveries {"drop":true}\nOperations that no test saw fail: tickets.list',
    ],
  ])
})

plain('rejects access to the service outside of a test', () => {
  const ignore = () => undefined
  const early = useServiceAnywhere({}, { beforeEach: ignore, afterEach: ignore, afterAll: ignore })
  expect(() => early.server).toThrow('The service exists only while a test runs')
})

plain('requires hooks if the runner has no global ones', () => {
  expect(() => useServiceAnywhere()).toThrow('{ beforeEach, afterEach, afterAll: after }')
  expect(() => useServiceAnywhere()).toThrow("In Vitest, import useService from '@service/server/vitest'.")
})

plain.for([
  ['Jest', 'afterAll'],
  ['Mocha', 'after'],
])('detects the global hooks of %s', async ([, end = '']) => {
  const names = ['beforeEach', 'afterEach', end]
  const acts: (() => Promise<void>)[] = []
  for (const name of names) Object.assign(globalThis, { [name]: (act: () => Promise<void>) => acts.push(act) })
  onTestFinished(() => {
    for (const name of names) Reflect.deleteProperty(globalThis, name)
  })
  const found = useServiceAnywhere({ seed: 'demo' })
  const [before, ...afterwards] = acts
  await before?.()
  expect((await titles(found)).length).toBeGreaterThan(0)
  expect(afterwards).toHaveLength(2)
  for (const act of afterwards) await act()
  expect(() => found.server).toThrow('The service exists only while a test runs')
})

plain('prints the requests of a failing test in at most 40 lines and attaches them as HAR', async () => {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const attachmentsDir = await freshDirectory()
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const args = [
    vitest,
    'run',
    'failing.spec.mjs',
    `--root=${root}`,
    `--attachmentsDir=${attachmentsDir}`,
    '--testTimeout=60000',
  ]
  const { stderr } = await promisify(execFile)(process.execPath, args).catch((error: { stderr: string }) => error)
  const lines = stripVTControlCharacters(stderr).split('\n')
  const start = lines.indexOf('Requests (61):')
  const printed = lines.slice(start, lines.indexOf('', start))
  expect(printed.length).toBeLessThanOrEqual(40)
  expect(printed.slice(1, 3)).toEqual([
    '  … and 37 before',
    '  #38 GET /api/v1/workspaces/1/tickets (tickets.list) → 200',
  ])
  expect(printed.at(-2)).toMatch(/^ {2}#1 ticket\.created pending after 1 attempt/)
  const [name = ''] = await readdir(attachmentsDir)
  const har = JSON.parse(await readFile(join(attachmentsDir, name), 'utf8'))
  expect([name, har.log.entries.length]).toEqual([expect.stringMatching(/\.har$/), 61])
})
