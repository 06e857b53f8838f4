import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRepoFile as readPage, repoRoot } from '../tooling/repo.ts'
import { blocksOf, codeIn } from './page.ts'
import { runBlocks, runModules } from './run-blocks.ts'

/** Pages whose code blocks run elsewhere or not at all: generated references, and decisions, whose code is not for readers. */
const excluded = [
  'docs/webhooks.md',
  'docs/packages',
  'docs/reference',
  'docs/decisions',
  'docs/node_modules',
  'docs/.vitepress',
]
const markdown = readdirSync(`${repoRoot}docs`, { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name}`)
  .filter((name) => name.endsWith('.md') && !excluded.some((prefix) => name.startsWith(prefix)))
  .toSorted()
const readmes = ['README.md', 'packages/client/README.md', 'packages/server/README.md']
const pages = markdown.filter((name) => readPage(name).includes('```ts'))

/** Starts the platform that a page calls without starting it. */
const platformAt = (origin: string) => `
import { createClient } from '@service/client'
import { createTestServer } from '@service/server/testing'
const server = await createTestServer({ seed: 'demo' })
server.intercept('${origin}')
const { token, workspace } = server.seeded
globalThis.demoToken = token
const client = { SERVICE_BASE_URL: '${origin}/api/v1', SERVICE_TOKEN: token, SERVICE_WORKSPACE: workspace }
Object.assign(process.env, { ...client, WEBHOOK_SECRET: 'whs_1234567890' })
`
const preludes: Readonly<Record<string, string>> = {
  'docs/index.md': platformAt('https://example.com'),
  'README.md': platformAt('http://127.0.0.1:8080'),
  'packages/client/README.md': `${platformAt('https://example.com')}
await createClient().crm.leads.create({ name: 'Grace', source: 'website', email: 'grace@example.org' })
`,
}

/** Every block must be found: one with another opening line would not run. */
function expectAllBlocks(page: string) {
  const opened = readPage(page).match(/^```ts(?!\w)/gm)
  expect(blocksOf(readPage(page), 'ts')).toHaveLength(opened?.length ?? 0)
}

test.each(pages)('every code block of %s runs', async (page) => {
  expectAllBlocks(page)
  await runBlocks(page, preludes[page])
})

/** The comment behind a `console.log` says what it prints, with other numbers. An ellipsis stands for anything. */
const printsOf = (page: string) =>
  Array.from(readPage(page).matchAll(/console\.log\(.*\) \/\/ (.+)$/gm), ([, printed = '']) =>
    printed
      .replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
      .replaceAll('…', '[^]*')
      .replaceAll(/\d+/g, '\\d+'),
  )

test.each(readmes)('every code block of %s runs and prints what its comments say', async (page) => {
  expectAllBlocks(page)
  const output = (await runBlocks(page, preludes[page])).replaceAll(/\s+/g, ' ')
  expect(printsOf(page)).not.toEqual([])
  for (const printed of printsOf(page)) expect(output).toMatch(new RegExp(printed))
})

/** The page of features: its first example, and the line of each feature. */
function readFeatures() {
  const page = readPage('docs/testing/features.md')
  const [begin = ''] = codeIn(page, 'ts')
  const lines = [...page.matchAll(/^\| [^|]+ \| [^|]+ \| `([^`|]+)` \|$/gm)].map(([, line = '']) => line)
  // Lines with a dollar sign are shell commands, and paths are not code.
  return { begin, lines: lines.filter((line) => !/^\$ |^docs\//.test(line)) }
}

/** The imports that the feature lines need in addition to the first example. */
const imports = `
import { mswHandlers } from '@service/server/msw'
import { serviceFixtures } from '@service/server/playwright'
import { findDuplicates, modelCommands } from '@service/server/testing'
import { setupServer } from 'msw/node'
`

test('docs/testing/features.md starts a test in ten lines, and the line of each feature runs after them', async () => {
  const { begin, lines } = readFeatures()
  expect(begin.trim().split('\n')).toHaveLength(10)
  expect(lines.length).toBeGreaterThan(30)
  const runnable = lines.filter((line) => !line.startsWith('serviceTest'))
  await runModules(new Map(runnable.map((line, index) => [`feature-${index}`, `${imports}${begin}\n${line}\n`])))
})

test('the home page and the start pages show the same commands', () => {
  const host = readPage('docs/start/host.md')
  const [command = ''] = codeIn(readPage('docs/index.md'), 'sh')
  expect(command).toContain('start')
  expect(host).toContain(command.trim())
})

test('finds only blocks marked ts, with their line numbers', () => {
  const page = ['# A', '```ts', 'one()', '```', '```typescript', 'two()', '```', '```ts', 'three()', '```', ''].join(
    '\n',
  )
  expect(blocksOf(page, 'ts')).toMatchObject([
    { line: 3, code: 'one()\n' },
    { line: 9, code: 'three()\n' },
  ])
})
