/**
 * Rehearses a release: creates versions and changelogs in a clone, publishes to a local registry, installs the packages
 * with each package manager, and runs the first example of each README. Also runs them with the lowest versions of peers.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ScratchRegistry, startScratchRegistry } from './scratch-registry.ts'

const help = `Releases the committed state to a local registry, then installs and runs it.

Usage: node .ci/release-check.ts [npm pnpm yarn bun lowest-peers] [--keep]

Defaults to all; "lowest-peers" installs the lowest versions of the peer ranges with npm. Takes some minutes. The registry,
the clone, and the projects are in a folder in ${tmpdir()}, which is deleted at the end unless --keep is given.
Exits with 1 if a step fails.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['client', 'webhooks', 'server'] as const
// Pinned, because package managers may hold back recent versions (see docs/guides/versions.md).
const tools = ['bun@1.4.5', '@yarnpkg/cli-dist@4.18.1']

const startedAt = performance.now()
const logStep = (step: string) =>
  console.log(`${`${Math.round((performance.now() - startedAt) / 1000)} s`.padStart(6)}  ${step}`)

/** Without an identity, git makes neither commits nor the tags of a release. */
const person = { NAME: 'Release', EMAIL: 'release@example.com' }
const gitIdentity = Object.fromEntries(
  Object.entries(person).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]),
)

function run(folder: string, command: string, args: readonly string[]): string {
  // In CI, yarn would refuse to write the lockfile of a new project.
  const env = { ...process.env, ...gitIdentity, CI: 'true', YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' }
  const options = { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' } as const
  try {
    return execFileSync(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string } // what execFileSync throws
    throw new Error(`${command} ${args.join(' ')} failed in ${folder}:\n${stdout ?? ''}\n${stderr ?? ''}`)
  }
}

const pnpm = (folder: string, ...args: string[]) => run(folder, 'npx', ['--yes', 'pnpm@12', ...args])

/** Installs tools that are not workspace dependencies because they take 200 MB. */
function installTools(folder: string): (name: string) => string {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
  run(folder, 'npm', ['install', '--no-audit', '--no-fund', ...tools])
  return (name) => join(folder, 'node_modules/.bin', name)
}

/** Performs the manual and automated steps of a release. Returns the version. */
function release(folder: string, { npmrc }: ScratchRegistry): string {
  run(root, 'git', ['clone', '--quiet', '--no-hardlinks', root, folder])
  writeFileSync(join(folder, '.npmrc'), npmrc)
  pnpm(folder, 'install', '--prefer-offline')
  const changesets = readdirSync(join(folder, '.changeset')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  )
  pnpm(folder, 'exec', 'changeset', 'version')
  run(folder, 'git', ['commit', '-qam', 'Version packages', '--allow-empty'])
  const { version } = JSON.parse(readFileSync(join(folder, 'packages/client/package.json'), 'utf8')) as {
    version: string
  } // ours
  logStep(`version ${version} from ${changesets.length} changesets`)
  if (!readFileSync(join(folder, 'packages/server/CHANGELOG.md'), 'utf8').includes(`## ${version}`))
    throw new Error(`The changelog of the server has no section ${version}.`)
  pnpm(folder, 'build')
  logStep('built')
  run(folder, 'node', ['.ci/sbom.ts'])
  pnpm(folder, 'exec', 'changeset', 'publish')
  const tags = run(folder, 'git', ['tag', '--points-at', 'HEAD']).split('\n').filter(Boolean)
  if (tags.length !== packages.length) throw new Error(`The release has the tags ${tags.join(', ') || 'none'}.`)
  logStep(`published ${tags.join(', ')}, with ${readdirSync(join(folder, 'sbom')).length} SBOMs`)
  return version
}

/** Returns the first example of a README as JavaScript. */
function firstExample(name: string): string {
  const [, code] =
    /^```ts[^\n]*\n(.*?)^```$/ms.exec(readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')) ?? []
  if (code === undefined) throw new Error(`The README of ${name} has no example.`)
  return stripTypeScriptTypes(code)
}

/** Runs the examples: provides the platform that the client calls, and calls the handler. */
const exampleRunner = `
import { once } from 'node:events'
import { createTestServer } from '@service/server/testing'
import { signedDelivery, testSecret } from '@service/webhooks/testing'

await import('./server.mjs')

const platform = await createTestServer({ seed: 'demo' })
globalThis.demoToken = platform.seeded.token
platform.intercept('https://example.com')
await import('./client.mjs')
await platform.close()

process.env.WEBHOOK_SECRET = testSecret
globalThis.notify = (title) => console.log('notified about', title)
const { app } = await import('./webhooks.mjs')
const listener = app.listen(0, '127.0.0.1')
await once(listener, 'listening')
const { headers, body } = await signedDelivery('ticket.created')
const { port } = listener.address()
const { status } = await fetch(\`http://127.0.0.1:\${port}/webhooks\`, { method: 'POST', headers, body })
console.log('the handler responded with', status)
listener.close()
if (status !== 204) process.exitCode = 1
`

function makeProject(folder: string, { host, npmrc }: ScratchRegistry): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
  writeFileSync(join(folder, '.npmrc'), npmrc)
  // Yarn caches the addresses of packages, so a shared cache would refer to the registry of an earlier rehearsal.
  const registry = `npmScopes:\n  service:\n    npmRegistryServer: "http://${host}"\nunsafeHttpWhitelist: ["127.0.0.1"]\n`
  writeFileSync(
    join(folder, '.yarnrc.yml'),
    `${registry}nodeLinker: node-modules\nglobalFolder: .yarn\nenableTelemetry: false\nnpmPreapprovedPackages: ["@service/*"]\n`,
  )
  for (const name of packages) {
    const code = firstExample(name).replace("token: 'service_…'", 'token: globalThis.demoToken')
    writeFileSync(join(folder, `${name}.mjs`), code)
  }
  writeFileSync(join(folder, 'run.mjs'), exampleRunner)
}

interface Project {
  readonly folder: string
  readonly specifiers: readonly string[]
  readonly tool: (name: string) => string
}

/** The lowest version of each peer range, such as `msw@2.10.0`. */
function lowestPeers(): string[] {
  const ranges = packages.flatMap((name) => {
    const { peerDependencies = {} } = JSON.parse(
      readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
    ) as { peerDependencies?: Record<string, string> } // ours
    return Object.entries(peerDependencies)
  })
  return ranges.map(([peer, range]) => {
    const lowest = /^\^(\d+\.\d+\.\d+)/.exec(range)?.[1]
    if (lowest === undefined) throw new Error(`The range ${range} of ${peer} does not begin with its lowest version.`)
    return `${peer}@${lowest}`
  })
}

/** With strict peers, npm fails on a version outside the ranges instead of warning. */
function installLowestPeers(folder: string, specifiers: readonly string[]): string {
  return run(folder, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--strict-peer-deps',
    ...specifiers,
    ...lowestPeers(),
  ])
}

/** Uses each peer. */
function runWithPeers(folder: string): void {
  for (const name of ['lowest-peers.mjs', 'msw.mjs', 'hooks.test.mjs'])
    cpSync(join(root, '.ci/test-frameworks', name), join(folder, name))
  run(folder, process.execPath, ['lowest-peers.mjs'])
  run(folder, process.execPath, ['msw.mjs'])
  run(folder, process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'hooks.test.mjs'])
}

function installAndRun(manager: string, { folder, specifiers, tool }: Project): void {
  const install: Record<string, () => string> = {
    npm: () => run(folder, 'npm', ['install', '--no-audit', '--no-fund', ...specifiers]),
    pnpm: () => pnpm(folder, '--config.minimumReleaseAgeExclude=@service/*', 'add', ...specifiers),
    yarn: () => run(folder, tool('yarn'), ['add', ...specifiers]),
    bun: () => run(folder, tool('bun'), ['add', ...specifiers]),
    'lowest-peers': () => installLowestPeers(folder, specifiers),
  }
  const start = install[manager]
  if (start === undefined)
    throw new TypeError(`Unknown installation ${manager}. Known: ${Object.keys(install).join(', ')}.`)
  start()
  if (manager === 'lowest-peers') runWithPeers(folder)
  const lines = run(folder, process.execPath, ['run.mjs']).trim().split('\n')
  const megabytes = Number(run(folder, 'du', ['-sm', 'node_modules']).split('\t', 1)[0])
  logStep(
    `${manager}: installed (${megabytes} MB with express), examples printed ${lines.length} lines, the last: ${lines.at(-1)}`,
  )
}

async function check(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'service-release-'))
  let registry: ScratchRegistry | undefined
  try {
    if (run(root, 'git', ['status', '--porcelain']).trim() !== '')
      logStep('warning: uncommitted changes are not released')
    const tool = installTools(join(scratch, 'tools'))
    registry = await startScratchRegistry(join(scratch, 'registry'))
    logStep(`registry at http://${registry.host}`)
    const version = release(join(scratch, 'clone'), registry)
    const specifiers = [...packages.map((name) => `@service/${name}@${version}`), 'express@5']
    for (const manager of positionals.length > 0 ? positionals : ['npm', 'pnpm', 'yarn', 'bun', 'lowest-peers']) {
      makeProject(join(scratch, manager), registry)
      installAndRun(manager, { folder: join(scratch, manager), specifiers, tool })
    }
    logStep('success')
  } finally {
    registry?.stop()
    if (values.keep) logStep(`kept in ${scratch}`)
    else if (existsSync(scratch)) rmSync(scratch, { recursive: true, force: true, maxRetries: 10 })
  }
}

if (values.help) console.log(help)
else await check()
