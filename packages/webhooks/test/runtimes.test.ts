import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { entries } from '../build/entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = (...args: string[]): unknown =>
  JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }))
const manifest: { exports: object } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))

// `pnpm test` has built the package before; whoever runs this file alone may not have.
beforeAll(() => {
  if (!existsSync(`${root}/dist/commonjs.cjs`)) {
    execFileSync('npx', ['--yes', 'pnpm@12', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  }
})

const seenEverywhere = {
  statuses: [204, 204, 204, 401],
  messages: ['Toner is here 🎉', 'Toner is here 🎉'],
  verify: 'task.created',
  wrongSecret: 'no_match',
  longKeyAndBody: createHmac('sha256', 'k'.repeat(100)).update('a'.repeat(200_000)).digest('hex'),
}

it('works as ES modules on Node', () => {
  expect(run('test/runtimes/everywhere.js')).toEqual({ ...seenEverywhere, verifySync: 'task.created' })
})

it.each(['workerd', 'edge-light'])('uses WebCrypto under the condition %s', (condition) => {
  expect(run(`--conditions=${condition}`, 'test/runtimes/everywhere.js')).toEqual({
    ...seenEverywhere,
    verifySync: 'TypeError',
  })
})

it('works as CommonJS, with one error class for all entries', () => {
  expect(run('test/runtimes/commonjs.cjs')).toEqual({ type: 'task.created', main: 'no_match', adapter: 'bad_secret' })
})

it('exports every entry, and has its four files', () => {
  const paths = entries.map((entry) => (entry === 'index' ? '.' : `./${entry}`))
  expect(Object.keys(manifest.exports).sort()).toEqual([...paths, './package.json'].sort())
  for (const entry of entries) {
    for (const kind of ['js', 'cjs', 'd.ts', 'd.cts']) expect(existsSync(`${root}/dist/${entry}.${kind}`)).toBe(true)
  }
})

it('weighs at most 80 kB installed', () => {
  const files = [
    ...readdirSync(`${root}/dist`).map((name) => `dist/${name}`),
    'package.json',
    'README.md',
    '../../LICENSE',
  ]
  const bytes = files.reduce((sum, name) => sum + statSync(`${root}/${name}`).size, 0)
  expect(bytes).toBeLessThanOrEqual(80_000)
})
