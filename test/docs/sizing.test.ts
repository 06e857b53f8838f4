import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const page = read('docs/guides/how-much-does-it-hold.md')
const results = read('bench/RESULTS.md')

/** Without separators of thousands. */
const numbersIn = (text: string): string[] => text.replaceAll(/(?<=\d),(?=\d)/g, '').match(/\d+(?:\.\d+)?/g) ?? []

const measured = new Set(numbersIn(results))

const sectionOf = (title: string) => new RegExp(`^## ${title}\n(.*?)^## `, 'ms').exec(page)?.[1] ?? ''
const paragraphsOf = (title: string) => sectionOf(title).trim().split('\n\n')

// Limits are settings, not measurements.
const rowsOf = (title: string) =>
  sectionOf(title)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.includes('limits.md'))
    .map((row) => row.replaceAll(/Plan \d+ MB/g, ''))

const isRule = (paragraph: string) => paragraph.includes('are computed')

test.each([
  ['Short answers', rowsOf('Short answers')],
  // The table has the plan, and the example its own company.
  ['Choose a size', paragraphsOf('Choose a size').filter((text) => /^- /.test(text))],
  ['Disk', paragraphsOf('Disk')],
  ['Memory', rowsOf('Memory')],
  ['Large workspaces', rowsOf('Large workspaces')],
])('the figures of the section "%s" are in bench/RESULTS.md', (_title, texts) => {
  const figures = texts.flatMap(numbersIn)
  expect(figures.length).toBeGreaterThan(3)
  expect(figures.filter((figure) => !measured.has(figure))).toEqual([])
})

test('the rule for processes and cores is computed from figures of bench/RESULTS.md', () => {
  const figure = (pattern: RegExp) => Number(pattern.exec(results)?.[1])
  const microseconds = figure(/^\| creation on PostgreSQL, 32 clients, CPU µs \| [^|]+ \| (\d+) /m)
  const deliveries = figure(/^\| 1 \| (\d+) \| 0 \| 0 \|$/m)
  const onPostgres = figure(/^\| create a ticket \| (\d+) \|/m)
  const onCitus = figure(/^\| create a ticket \| \d+ \| (\d+) \|/m)
  const ofACore = ((125 * microseconds) / 1e6).toFixed(2)
  const cores = (creations: number, rate: number) => ((2 * creations) / rate).toFixed(1)
  const [rule = ''] = paragraphsOf('Choose a size').filter(isRule)
  expect(numbersIn(rule)).toEqual(
    [microseconds, 125, ofACore, deliveries, onPostgres, onCitus, 1000, cores(1000, onPostgres), 500]
      .concat(cores(500, onCitus), 8)
      .map(String),
  )
  const [, , small, large] = rowsOf('Choose a size').slice(-4)
  expect(small).toContain(`${1000 / 125} × 1 core`)
  expect(large).toContain('one process for each 125 creations/s or 250 deliveries/s')
  expect(large).toContain('8 cores for each 500 creations/s')
})
