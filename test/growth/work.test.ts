import { expect, it } from 'vitest'
import { readErrorReports } from '../../packages/intake/src/errors/read-error-reports.ts'

// Counts regular expression calls instead of measuring time, because the count is the same on every machine.

type Report = Readonly<Record<string, unknown>>

const encoder = new TextEncoder()
const reports = 1_000
const fields = 55

function countExpressionCalls(report: (index: number) => Report): number {
  const body = encoder.encode(JSON.stringify(Array.from({ length: reports }, (_, index) => report(index))))
  const { exec } = RegExp.prototype
  let calls = 0
  RegExp.prototype.exec = function counted(text) {
    calls += 1
    return exec.call(this, text)
  }
  try {
    expect(readErrorReports({ body, headers: new Headers() })).toHaveLength(reports)
  } finally {
    RegExp.prototype.exec = exec
  }
  return calls
}

const wide =
  (name: (field: number, index: number) => string) =>
  (index: number): Report =>
    Object.fromEntries(Array.from({ length: fields }, (_, field) => [name(field, index), index * field]))

it('classifies a field name once for all reports', () => {
  expect(countExpressionCalls(wide((field) => `attribute_${field}`)) / reports).toBeLessThan(10)
})

// The first 2,000 names of a body are classified, here two for each report, by about 60 expressions each.
const maxCalls = 130

it.each([
  ['with unknown meanings', wide((field, index) => `a${index}b${field}`)],
  ['with known meanings', wide((field, index) => `c${index}d${field}message`)],
])('classifies a limited number of names of a body, %s', (_, report) => {
  expect(countExpressionCalls(report) / reports).toBeLessThan(maxCalls)
})
