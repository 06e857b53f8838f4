import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { entries } from '../build/entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

// `pnpm test` builds the package first. Running only this file may require a build.
beforeAll(() => {
  if (!existsSync(`${root}/dist/index.cjs`))
    execFileSync('npx', ['--yes', 'pnpm@12', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
})

it('works as CommonJS, with hooks and with one set of error classes for all entries', () => {
  const output = execFileSync(process.execPath, ['test/runtimes/commonjs.cjs'], { cwd: root, encoding: 'utf8' })
  const className = 'NotFoundError'
  const names = [className, className, className, className]
  expect(JSON.parse(output)).toEqual({ names, statuses: [404, 404, 404, 404], className })
})

it('exports every entry with its four files', () => {
  const { exports }: { exports: object } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const names = Object.keys(entries)
  const paths = names.map((entry) => (entry === 'index' ? '.' : `./${entry}`))
  expect(Object.keys(exports).toSorted()).toEqual([...paths, './package.json'].toSorted())
  for (const name of names)
    for (const kind of ['js', 'cjs', 'd.ts', 'd.cts']) expect(existsSync(`${root}/dist/${name}.${kind}`)).toBe(true)
})

it('imports nothing in CommonJS with `import()`, which Jest refuses', () => {
  const files = readdirSync(`${root}/dist`).filter((name) => name.endsWith('.cjs'))
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) expect(readFileSync(`${root}/dist/${file}`, 'utf8')).not.toMatch(/^[^*\n]*\bimport\(/m)
})
