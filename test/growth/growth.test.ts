import { expect, it } from 'vitest'
import { readErrorReports } from '../../packages/intake/src/errors/read-error-reports.ts'
import { adversaries } from './adversaries.ts'
import { growthOf, mostGrowth } from './measure.ts'
import { readers } from './readers.ts'

const longest = 40_000

// Hundreds of texts for each reader: seconds on a free machine, more on a busy one.
const timeoutMs = 120_000

it.each(Object.entries(readers))('reads twice the text in twice the time: %s', { timeout: timeoutMs }, (_, read) => {
  const grown = adversaries.flatMap((adversary) => {
    const growth = growthOf(read, adversary, longest)
    return growth !== undefined && growth > mostGrowth ? [{ ...adversary, growth }] : []
  })
  expect(grown).toEqual([])
})

it('reads twice the keys of a report that says nothing in twice the time', { timeout: timeoutMs }, () => {
  const bodyOf = remembered((text) => {
    const keys = Array.from(text, (_, index) => [`k${index}`, { v: index }])
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(keys)))
  })
  const read = (text: string) => {
    // Once would be too quick to be measured.
    for (let time = 0; time < 20; time += 1) readErrorReports({ body: bodyOf(text), headers: new Headers() })
  }
  expect(growthOf(read, { piece: 'k', end: '' }, mostKeys)).toBeLessThan(mostGrowth)
})

function remembered<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>()
  return (text) => {
    const known = made.get(text) ?? make(text)
    made.set(text, known)
    return known
  }
}

/** As many as an object of a report may have. */
const mostKeys = 4_096

// Its squares are cheap enough at a fraction of the length, and repeated often.
const longestOfControl = 8_000

it('knows a square when it sees one', { timeout: timeoutMs }, () => {
  const open = /\([^)]*\)/
  const parentheses = { piece: '(', end: '' }
  expect(growthOf((text) => open.exec(text), parentheses, longestOfControl)).toBeGreaterThan(mostGrowth)
  expect(growthOf((text) => sumOf(text, 10_000), parentheses, longestOfControl)).toBeLessThan(mostGrowth)
})

/** Work that is linear, and long enough to be measured. */
function sumOf(text: string, times: number): number {
  let sum = 0
  for (let time = 0; time < times; time += 1) for (const sign of text) sum += sign.charCodeAt(0)
  return sum
}
