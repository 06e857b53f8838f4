import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { writeSections } from '../../../bench/results-file.ts'

const help = `Installs the packed packages with npm beside each peer, and runs a test of theirs with it.

Usage: node packages/server/proof/peers.ts [--tarballs <directory>] [--only vitest@3.2] [--results <file>]

Without --tarballs the packages are packed as they were built last. It needs the npm registry.`

const { values } = parseArgs({
  options: {
    tarballs: { type: 'string' },
    only: { type: 'string' },
    results: { type: 'string', default: fileURLToPath(new URL('../../../bench/RESULTS.md', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

const run = promisify(execFile)
const limitMs = 180_000

const vitestTest = `
import { createClient } from '@service/client'
import { serviceTest } from '@service/server/vitest'
const test = serviceTest({ seed: 'demo' })
test.concurrent('one', async ({ service, expect }) => {
  await createClient(service).tickets.create({ title: 'Only here' })
})
test.concurrent('two', async ({ service, server, expect }) => {
  const titles = (await createClient(service).tickets.list()).map(({ title }) => title)
  expect(titles.length).toBeGreaterThan(0)
  expect(titles).not.toContain('Only here')
  expect(server.expectRequest({ operation: 'tickets.list' }).length).toBe(1)
})
`

/** Fixtures that a worker shares came with vitest 3.2; hooks work before. */
const hooksTest = `
import { useService } from '@service/server/vitest'
import { expect, test } from 'vitest'
const service = useService({ seed: 'demo' })
test('lives', async () => expect((await service.fetch('/livez')).status).toBe(200))
`

const mswTest = `
import assert from 'node:assert/strict'
import { mswHandlers } from '@service/server/msw'
import { createTestServer } from '@service/server/testing'
import { setupServer } from 'msw/node'
await using server = await createTestServer()
const origin = 'https://api.example.com'
const msw = setupServer(...mswHandlers(server, { origin }))
msw.listen()
assert.equal((await fetch(origin + '/livez')).status, 200)
for (const [connection, code] of [['reset', 'ECONNRESET'], ['refused', 'ECONNREFUSED'], ['dns', 'ENOTFOUND']]) {
  server.faults.add({ connection, times: 1 })
  const thrown = await fetch(origin + '/livez').catch((error) => error)
  assert.ok(thrown instanceof TypeError, connection)
  assert.equal(thrown.cause?.code, code)
}
msw.close()
`

const jestTest = (load: string) => `
${load}
const service = useService({ seed: 'demo' })
test('lists the tickets', async () => {
  const answer = await service.fetch(service.baseUrl + '/workspaces/' + service.workspace + '/tickets', {
    headers: { authorization: 'Bearer ' + service.token },
  })
  expect(answer.status).toBe(200)
})
`

interface Peer {
  readonly name: string
  readonly file: string
  readonly text: string
  /** What Node runs. */
  readonly args: readonly string[]
}

const vitest = (name: string, text = vitestTest): Peer => ({
  name,
  file: 'a.test.mjs',
  text,
  args: ['node_modules/vitest/vitest.mjs', 'run'],
})
const msw = (name: string): Peer => ({ name, file: 'a.mjs', text: mswTest, args: ['a.mjs'] })
const jestArgs = [
  '--experimental-vm-modules',
  'node_modules/jest/bin/jest.js',
  '--rootDir',
  '.',
  '--testMatch',
  '**/*.test.*',
]

const peers: readonly Peer[] = [
  vitest('vitest@3.0', hooksTest),
  ...['vitest@3.2', 'vitest@4.1', 'vitest@5'].map((name) => vitest(name)),
  ...['msw@2.10', 'msw@2', 'msw@3'].map(msw),
  {
    name: 'jest@30',
    file: 'a.test.mjs',
    text: jestTest(`import { useService } from '@service/server/testing'`),
    args: jestArgs,
  },
]

interface Outcome {
  readonly peer: string
  readonly installs: boolean
  readonly runs: boolean
  readonly says: string
}

async function tryPeer({ name, file, text, args }: Peer, tarballs: readonly string[]): Promise<Outcome> {
  const cwd = await mkdtemp(join(tmpdir(), 'service-peers-'))
  const done = { peer: name, installs: false, runs: false }
  try {
    await writeFile(join(cwd, 'package.json'), '{"private": true, "type": "module"}')
    await writeFile(join(cwd, file), text)
    // With strict peers npm refuses what the ranges do not admit, in place of warning of it.
    const install = ['install', '--no-audit', '--no-fund', '--strict-peer-deps', name, ...tarballs]
    await run('npm', install, { cwd, timeout: limitMs })
    done.installs = true
    await run(process.execPath, args, { cwd, timeout: limitMs, env: { ...process.env, CI: '1' } })
    return { ...done, runs: true, says: '' }
  } catch (fault) {
    const { stderr = '', stdout = '' } = Object(fault)
    const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => /error|code|expected/i.test(line))
    return { ...done, says: lines.slice(0, 2).join(' ').slice(0, 160) }
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

async function pack(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'service-tarballs-'))
  for (const name of ['client', 'webhooks', 'server']) {
    const cwd = fileURLToPath(new URL(`../../${name}`, import.meta.url))
    await run('npx', ['--yes', 'pnpm@12', 'pack', '--pack-destination', directory], { cwd, timeout: limitMs })
  }
  return directory
}

async function prove(): Promise<number> {
  const directory = values.tarballs ?? (await pack())
  await mkdir(directory, { recursive: true })
  const tarballs = (await readdir(directory))
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(directory, name))
  const outcomes: Outcome[] = []
  for (const peer of peers.filter(({ name }) => values.only === undefined || name === values.only)) {
    const outcome = await tryPeer(peer, tarballs)
    outcomes.push(outcome)
    process.stdout.write(`${outcome.peer}: installs ${outcome.installs}, runs ${outcome.runs} ${outcome.says}\n`)
  }
  if (values.only === undefined) await writeSections(values.results, [sectionOf(outcomes)])
  return outcomes.every(({ runs }) => runs) ? 0 : 1
}

function sectionOf(outcomes: readonly Outcome[]): string {
  const yes = (is: boolean) => (is ? 'yes' : 'no')
  const rows = outcomes.map(({ peer, installs, runs }) => `| ${peer} | ${yes(installs)} | ${yes(runs)} |`)
  const says =
    'The packed packages, installed by npm with strict peers beside each of these, and a test of theirs run with it.'
  return ['## Peers', '', says, '', '| peer | npm installs it | a test runs |', '|---|---|---|', ...rows].join('\n')
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()
