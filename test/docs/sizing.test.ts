import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const page = read('docs/guides/how-much-does-it-hold.md')

/** Without separators of thousands. */
const numbersIn = (text: string): string[] => text.replaceAll(/(?<=\d),(?=\d)/g, '').match(/\d+(?:\.\d+)?/g) ?? []

const measured = new Set(numbersIn(read('bench/RESULTS.md')))

test.each(['Short answers', 'Memory', 'Large workspaces'])(
  'the figures of the section "%s" are in bench/RESULTS.md',
  (title) => {
    const [, section = ''] = new RegExp(`^## ${title}\n(.*?)^## `, 'ms').exec(page) ?? []
    // Limits are settings, not measurements.
    const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.includes('limits.md'))
    const figures = rows.flatMap((row) => numbersIn(row.replaceAll(/Plan \d+ MB/g, '')))
    expect(figures.length).toBeGreaterThan(3)
    expect(figures.filter((figure) => !measured.has(figure))).toEqual([])
  },
)
