import { expect, it } from 'vitest'
import { readErrorReports } from '../../packages/intake/src/errors/read-error-reports.ts'
import { countExpressionCalls } from './count-expression-calls.ts'

type Report = Readonly<Record<string, unknown>>

const encoder = new TextEncoder()
const reports = 1_000
const fields = 55

function countCallsFor(report: (index: number) => Report): Promise<number> {
  const body = encoder.encode(JSON.stringify(Array.from({ length: reports }, (_, index) => report(index))))
  return countExpressionCalls(() => {
    expect(readErrorReports({ body, headers: new Headers() })).toHaveLength(reports)
  })
}

const wide =
  (name: (field: number, index: number) => string) =>
  (index: number): Report =>
    Object.fromEntries(Array.from({ length: fields }, (_, field) => [name(field, index), index * field]))

it('classifies a field name once for all reports', async () => {
  expect((await countCallsFor(wide((field) => `attribute_${field}`))) / reports).toBeLessThan(10)
})

// The first 2,000 names of a body are classified, here two for each report, by about 60 expressions each.
const maxCalls = 130

it.each([
  ['with unknown meanings', wide((field, index) => `a${index}b${field}`)],
  ['with known meanings', wide((field, index) => `c${index}d${field}message`)],
])('classifies a limited number of names of a body, %s', async (_, report) => {
  expect((await countCallsFor(report)) / reports).toBeLessThan(maxCalls)
})
