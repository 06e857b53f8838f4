import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { blocksOf, runBlocks, runModules } from './run-blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readPage = (name: string) => readFileSync(root + name, 'utf8')

/** Pages whose blocks have a runner of their own, or none: decisions show no code of readers, and a reference is made from sources. */
const others = [
  'docs/webhooks.md',
  'docs/packages',
  'docs/reference',
  'docs/decisions',
  'docs/node_modules',
  'docs/.vitepress',
]
const markdown = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name}`)
  .filter((name) => name.endsWith('.md') && !others.some((other) => name.startsWith(other)))
  .toSorted()
const pages = [...markdown.filter((name) => readPage(name).includes('```ts')), 'packages/server/README.md']

test.each(pages)('every block of %s runs as it is printed', async (page) => {
  const marked = readPage(page).match(/^```ts(?!\w)/gm)
  expect(blocksOf(readPage(page))).toHaveLength(marked?.length ?? 0)
  await runBlocks(page)
})

/** The part of the server's README that is about testing: its ten lines, and the line of each feature. */
function readTesting() {
  const readme = readPage('packages/server/README.md')
  const section = readme.slice(readme.indexOf('\n## Testing\n'))
  const [begin = { code: '' }] = blocksOf(section)
  const lines = [...section.matchAll(/^\| [^|]+ \| [^|]+ \| `([^`|]+)` \|$/gm)].map(([, line = '']) => line)
  // What begins with a dollar sign is for a shell, and a path is no code.
  return { begin: begin.code, lines: lines.filter((line) => !/^\$ |^docs\//.test(line)) }
}

/** Where the names in the table come from that the ten lines do not have. */
const imports = `
import { mswHandlers } from '@service/server/msw'
import { serviceFixtures } from '@service/server/playwright'
import { setupServer } from 'msw/node'
`

test('the README begins a test in ten lines, and shows a line for each feature that runs after them', async () => {
  const { begin, lines } = readTesting()
  expect(begin.trim().split('\n')).toHaveLength(10)
  expect(lines.length).toBeGreaterThan(30)
  const runnable = lines.filter((line) => !line.startsWith('serviceTest('))
  await runModules(new Map(runnable.map((line, index) => [`feature-${index}`, `${imports}${begin}\n${line}\n`])))
})

test('takes the blocks marked ts and no others, and knows their lines', () => {
  const page = ['# A', '```ts', 'one()', '```', '```typescript', 'two()', '```', '```ts', 'three()', '```', ''].join(
    '\n',
  )
  expect(blocksOf(page)).toEqual([
    { line: 3, code: 'one()\n' },
    { line: 9, code: 'three()\n' },
  ])
})
