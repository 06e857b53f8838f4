import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { entries } from '../build/entries.ts'
import { resultsWithNodeCrypto, resultsWithWebCrypto } from './runtimes/expected.ts'
import { buildWorker } from './runtimes/worker.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = (...args: string[]): unknown =>
  JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }))
const manifest: { exports: object } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))

// `pnpm test` builds the package first. Running only this file may require a build.
beforeAll(() => {
  if (!existsSync(`${root}/dist/commonjs.cjs`)) {
    execFileSync('npx', ['--yes', 'pnpm@12', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  }
})

it('works as ES modules on Node', () => {
  expect(run('test/runtimes/print.js')).toEqual(resultsWithNodeCrypto)
})

it.each(['workerd', 'edge-light'])('uses WebCrypto under the condition %s', (condition) => {
  expect(run(`--conditions=${condition}`, 'test/runtimes/print.js')).toEqual(resultsWithWebCrypto)
})

it('bundles for Workers into one module without Node imports', async () => {
  const code = await buildWorker()
  expect(code).not.toMatch(/from\s*"node:|require\(/)
  // Called as a Worker's runtime calls it.
  const worker: { default: { fetch: () => Promise<Response> } } = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  )
  expect(await (await worker.default.fetch()).json()).toEqual(resultsWithWebCrypto)
})

it('works as CommonJS, with one error class for all entries', () => {
  expect(run('test/runtimes/commonjs.cjs')).toEqual({ type: 'task.created', main: 'no_match', adapter: 'bad_secret' })
})

it('exports every entry with its four files', () => {
  const paths = entries.map((entry) => (entry === 'index' ? '.' : `./${entry}`))
  expect(Object.keys(manifest.exports).sort()).toEqual([...paths, './package.json'].sort())
  for (const entry of entries) {
    for (const kind of ['js', 'cjs', 'd.ts', 'd.cts']) expect(existsSync(`${root}/dist/${entry}.${kind}`)).toBe(true)
  }
})

it('installs in at most 130 kB', () => {
  const files = [
    ...readdirSync(`${root}/dist`).map((name) => `dist/${name}`),
    'package.json',
    'README.md',
    '../../LICENSE',
  ]
  const bytes = files.reduce((sum, name) => sum + statSync(`${root}/${name}`).size, 0)
  expect(bytes).toBeLessThanOrEqual(130_000)
})
