/**
 * Compares the CPU time of calls with the client of an earlier commit, in one process and in turn.
 * Usage: node bench/client-versions.ts <commit> [rounds] [seconds]
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { createClient } from '../packages/client/src/index.ts'
import { cpuPerCall, interleave, type Scenario, section } from './measure.ts'
import { answerAtOnce, clientOptions, ticket } from './scenarios/client.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [commit = '', rounds = '9', seconds = '2'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'client-versions-'))

/** Bundles the client of a source tree, as its build does. */
async function clientOf(name: string, tree: string): Promise<ReturnType<typeof createClient>> {
  const outdir = join(folder, name)
  await build({
    entryPoints: [join(tree, 'packages/client/src/index.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    alias: { '@service/contract': join(tree, 'packages/contract/src') },
    external: ['@opentelemetry/api'],
    logLevel: 'error',
  })
  const built = await import(pathToFileURL(join(outdir, 'index.mjs')).href)
  return built.createClient({ ...clientOptions, fetch: answerAtOnce })
}

function checkOut(): string {
  const tree = join(folder, 'tree')
  mkdirSync(tree)
  const archive = execFileSync('git', ['archive', commit, 'packages/client', 'packages/contract'], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', tree], { input: archive })
  for (const name of ['client', 'contract'])
    symlinkSync(join(root, 'packages', name, 'node_modules'), join(tree, 'packages', name, 'node_modules'))
  return tree
}

try {
  const before = await clientOf('before', checkOut())
  const now = await clientOf('now', root)
  const hooks = { beforeRequest: [() => undefined] }
  const [hookedBefore, hookedNow] = [before.withOptions({ hooks }), now.withOptions({ hooks })]
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    [`floor: list, ${commit}`]: () => before.tickets.list(),
    'list, now': () => now.tickets.list(),
    [`floor: create, ${commit}`]: () => before.tickets.create(ticket),
    'create, now': () => now.tickets.create(ticket),
    [`floor: create with a hook, ${commit}`]: () => hookedBefore.tickets.create(ticket),
    'create with a hook, now': () => hookedNow.tickets.create(ticket),
  }
  const options = { rounds: Number(rounds), seconds: Number(seconds), progress: () => undefined }
  const contestants = Object.entries(calls).map(([name, call]) => [name, () => cpuPerCall(call, options.seconds)])
  const scenario: Scenario = {
    title: 'Client beside an earlier version',
    method: 'CPU time in one process, with a `fetch` that responds immediately.',
    measure: () => interleave(Object.fromEntries(contestants), options),
  }
  process.stdout.write(section(scenario, await scenario.measure(options)))
} finally {
  rmSync(folder, { recursive: true })
}
