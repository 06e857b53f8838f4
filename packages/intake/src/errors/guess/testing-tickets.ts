import { expect, it } from 'vitest'
import type { JsonRecord } from '../../sanitize/json-path.ts'
import { fingerprint } from '../fingerprint.ts'
import { opensTicket } from '../level.ts'
import { readFormattedReports } from '../read-error-reports.ts'
import { titleOf } from '../ticket-text.ts'

// Tests of what opens a ticket, and of what shares one.

const read = (body: object) =>
  readFormattedReports({
    body: new TextEncoder().encode(JSON.stringify(body)),
    headers: new Headers(),
    minLevel: null,
  }).reports

const opened = (body: object) => read(body).filter((report) => opensTicket(report, null))
export const keysOf = (body: object) => read(body).map(({ record }) => fingerprint(record))

type Wanted = Readonly<Record<string, RegExp | string | number>>

export const open = (title: string, body: object, wanted: Wanted = {}) =>
  it(`opens a ticket: ${title}`, () => {
    const [report] = opened(body)
    expect(report).toBeDefined()
    if (report === undefined) return
    const found: JsonRecord = { ...report.record, title: titleOf(report.record) }
    for (const [field, value] of Object.entries(wanted))
      expect(found[field]).toEqual(value instanceof RegExp ? expect.stringMatching(value) : value)
  })

export const quiet = (title: string, body: object) =>
  it(`opens no ticket: ${title}`, () => {
    expect(opened(body)).toEqual([])
  })

export const differ = (title: string, one: object, other: object) =>
  it(`opens two tickets: ${title}`, () => {
    expect([opened(one).length, opened(other).length]).toEqual([1, 1])
    expect(keysOf(one)).not.toEqual(keysOf(other))
  })

export const same = (title: string, one: object, other: object) =>
  it(`opens one ticket: ${title}`, () => {
    expect(opened(one)).toHaveLength(1)
    expect(keysOf(other)).toEqual(keysOf(one))
  })

export const resolves = (title: string, one: object, other: object) =>
  it(`opens one ticket and resolves it: ${title}`, () => {
    expect(opened(one)).toHaveLength(1)
    expect(keysOf(other)).toEqual(keysOf(one))
    expect(read(other).map(({ record }) => record.recovered)).toEqual([true])
  })
