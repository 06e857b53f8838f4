import { expect, it } from 'vitest'
import { readErrorReports } from '../../packages/intake/src/errors/read-error-reports.ts'

// Counted instead of timed: how often an expression is tried on a text is the same on every machine.

type Report = Readonly<Record<string, unknown>>

const encoder = new TextEncoder()
const reports = 1_000
const fields = 55

function expressionsTried(report: (index: number) => Report): number {
  const body = encoder.encode(JSON.stringify(Array.from({ length: reports }, (_, index) => report(index))))
  const { exec } = RegExp.prototype
  let tried = 0
  RegExp.prototype.exec = function counted(text) {
    tried += 1
    return exec.call(this, text)
  }
  try {
    expect(readErrorReports({ body, headers: new Headers() })).toHaveLength(reports)
  } finally {
    RegExp.prototype.exec = exec
  }
  return tried
}

const wide =
  (name: (field: number, index: number) => string) =>
  (index: number): Report =>
    Object.fromEntries(Array.from({ length: fields }, (_, field) => [name(field, index), index * field]))

it('finds out once what a name means, however many reports have it', () => {
  expect(expressionsTried(wide((field) => `attribute_${field}`)) / reports).toBeLessThan(10)
})

it.each([
  ['none of which says anything', wide((field, index) => `a${index}b${field}`)],
  ['all of which sound like something', wide((field, index) => `c${index}d${field}message`)],
])('finds out what some thousand names mean of a body of many more, %s', (_, report) => {
  expect(expressionsTried(report) / reports).toBeLessThan(100)
})
