import { expect, it } from 'vitest'
import { readErrorReports } from '../../packages/intake/src/errors/read-error-reports.ts'
import { adversaries } from './adversaries.ts'
import { growthOf, mostGrowth } from './measure.ts'
import { readers } from './readers.ts'

const maxLength = 40_000

// Each reader gets hundreds of texts, which takes seconds on an idle machine.
const timeoutMs = 120_000

it.each(Object.entries(readers))('takes linear time: %s', { timeout: timeoutMs }, (_, read) => {
  const grown = adversaries.flatMap((adversary) => {
    const growth = growthOf(read, adversary, maxLength)
    return growth !== undefined && growth > mostGrowth ? [{ ...adversary, growth }] : []
  })
  expect(grown).toEqual([])
})

it('takes linear time for the keys of an unknown report', { timeout: timeoutMs }, () => {
  const bodyOf = memoize((text) => {
    const keys = Array.from(text, (_, index) => [`k${index}`, { v: index }])
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(keys)))
  })
  const read = (text: string) => {
    // A single run is too fast to measure.
    for (let time = 0; time < 20; time += 1) readErrorReports({ body: bodyOf(text), headers: new Headers() })
  }
  expect(growthOf(read, { piece: 'k', end: '' }, maxKeys)).toBeLessThan(mostGrowth)
})

function memoize<Value>(compute: (text: string) => Value): (text: string) => Value {
  const values = new Map<string, Value>()
  return (text) => {
    const value = values.get(text) ?? compute(text)
    values.set(text, value)
    return value
  }
}

/** The maximum number of keys in an object of a report. */
const maxKeys = 4_096

// Quadratic time is measurable at a fraction of the length.
const maxControlLength = 8_000

it('detects quadratic time', { timeout: timeoutMs }, () => {
  const open = /\([^)]*\)/
  const parentheses = { piece: '(', end: '' }
  expect(growthOf((text) => open.exec(text), parentheses, maxControlLength)).toBeGreaterThan(mostGrowth)
  expect(growthOf((text) => sumOf(text, 10_000), parentheses, maxControlLength)).toBeLessThan(mostGrowth)
})

/** Linear work that takes long enough to measure. */
function sumOf(text: string, times: number): number {
  let sum = 0
  for (let time = 0; time < times; time += 1) for (const character of text) sum += character.charCodeAt(0)
  return sum
}
