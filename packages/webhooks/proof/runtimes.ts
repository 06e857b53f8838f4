/**
 * Runs the built package in other runtimes than the one that the tests have: Bun, Deno, workerd and the oldest Node that
 * is supported. They weigh some hundred megabytes, so they are not dependencies: npm puts them into a folder that is
 * removed afterwards.
 *
 * Build the package, then run it with `node packages/webhooks/proof/runtimes.ts [bun deno workerd node@22]`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { print } from '../bench/print.ts'
import { seenWithNodeCrypto, seenWithWebCrypto } from '../test/runtimes/expected.ts'
import { buildWorker } from '../test/runtimes/worker.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Runtime {
  readonly packageName: string
  readonly expected: object
  /** What the runtime saw, as JSON, with its packages in `folder`. */
  readonly run: (folder: string) => Promise<string> | string
}

const inPackage = (folder: string, command: string, args: readonly string[]) =>
  execFileSync(join(folder, 'node_modules/.bin', command), args, { cwd: root, encoding: 'utf8' })

const runtimes: Record<string, Runtime> = {
  bun: {
    packageName: 'bun@1',
    expected: seenWithNodeCrypto,
    run: (folder) => inPackage(folder, 'bun', ['test/runtimes/print.js']),
  },
  deno: {
    packageName: 'deno@2',
    expected: seenWithNodeCrypto,
    run: (folder) => inPackage(folder, 'deno', ['run', '-A', '--node-modules-dir=manual', 'test/runtimes/print.js']),
  },
  workerd: { packageName: 'miniflare@4', expected: seenWithWebCrypto, run: runInWorkerd },
  'node@22': {
    packageName: 'node@22',
    expected: seenWithNodeCrypto,
    run: (folder) => inPackage(folder, 'node', ['test/runtimes/print.js']),
  },
}

/** Miniflare starts workerd, which is what Cloudflare runs. It is called in a process of its own, beside its packages. */
async function runInWorkerd(folder: string): Promise<string> {
  const main = `import { Miniflare } from 'miniflare'
    const worker = new Miniflare({ modules: true, scriptPath: 'worker.mjs', compatibilityDate: '2026-01-01' })
    process.stdout.write(await (await worker.dispatchFetch('http://worker.example')).text())
    await worker.dispose()`
  writeFileSync(join(folder, 'worker.mjs'), await buildWorker())
  writeFileSync(join(folder, 'main.mjs'), main)
  return execFileSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8' })
}

async function prove(name: string, { packageName, expected, run }: Runtime): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-runtimes-'))
  const startedAt = performance.now()
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', packageName], { cwd: folder })
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const size = execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t', 1)[0]
    assert.deepEqual(JSON.parse(await run(folder)), expected)
    print(`${name}: as expected (${packageName}, installed in ${seconds} s, ${size} MB)`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(runtimes)
for (const name of asked) {
  const runtime = runtimes[name]
  if (!runtime) throw new TypeError(`there is no runtime ${name}; there are ${Object.keys(runtimes).join(', ')}`)
  await prove(name, runtime)
}
