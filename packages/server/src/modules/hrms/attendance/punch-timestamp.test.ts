import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOffsetMinutes, parseTimestamp } from './punch-timestamp.ts'

const us = (text: string) => Date.parse(text) * 1000

const offsetText = (minutes: number, colon: string) => {
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hour).padStart(2, '0')}${colon}${String(minute).padStart(2, '0')}`
}

/** The local time at this offset, to the second. */
const wallText = (utcMs: number, offsetMinutes: number) =>
  new Date(utcMs + offsetMinutes * 60_000).toISOString().slice(0, 19)

// The range in which a number represents every microsecond.
const exactSeconds = fc.integer({ min: Date.UTC(1690, 0) / 1000, max: Date.UTC(2250, 0) / 1000 })
const offsets = fc.record({
  minutes: fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
  colon: fc.constantFrom(':', ''),
})

describe('reading a timestamp', () => {
  it('reads a time without seconds as the full minute', () => {
    expect(parseTimestamp('2026-11-20T18:51Z')).toBe(parseTimestamp('2026-11-20T18:51:00Z'))
  })

  it.each([
    ['2026-11-20T18:51:53Z', us('2026-11-20T18:51:53Z')],
    ['2026-11-20t18:51:53z', us('2026-11-20T18:51:53Z')],
    ['2026-11-20T18:51:53.123456Z', us('2026-11-20T18:51:53Z') + 123_456],
    ['2026-11-20T18:51:53.5+05:00', us('2026-11-20T13:51:53Z') + 500_000],
    ['2026-11-20T18:51:53-07:00', us('2026-11-21T01:51:53Z')],
    ['2026-11-20T18:51:53+0530', us('2026-11-20T13:21:53Z')],
    ['2026-11-20T18:51:53-00:00', us('2026-11-20T18:51:53Z')],
    ['2028-02-29T12:00:00Z', us('2028-02-29T12:00:00Z')],
    ['1969-12-31T23:59:59.999999Z', -1],
  ])('reads %s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected)
  })

  it('distinguishes the two instants of a repeated local time by their offset', () => {
    expect(parseTimestamp('2026-10-25T02:30:00+02:00')).toBe(us('2026-10-25T00:30:00Z'))
    expect(parseTimestamp('2026-10-25T02:30:00+01:00')).toBe(us('2026-10-25T01:30:00Z'))
  })

  it('truncates digits beyond the microsecond', () => {
    expect(parseTimestamp('2026-11-20T18:51:53.9999999999Z')).toBe(us('2026-11-20T18:51:53Z') + 999_999)
  })

  it('reports a missing offset only if the rest is valid', () => {
    expect(parseTimestamp('2026-11-20T18:51:53')).toBe('missing_offset')
    expect(parseTimestamp('2026-11-20T18:51:53.123')).toBe('missing_offset')
    expect(parseTimestamp('2026-02-31T18:51:53')).toBe('invalid')
  })

  it.each([
    '',
    'now',
    '1763664713',
    '1763664713000',
    '2026-11-20',
    '2026-11-20 18:51:53Z',
    '20261120T185153Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:60:00Z',
    '2026-11-20T23:59:61Z',
    '2026-02-31T10:00:00Z',
    '2026-02-29T10:00:00Z',
    '2026-04-31T10:00:00Z',
    '2026-00-10T10:00:00Z',
    '2026-13-10T10:00:00Z',
    '2026-11-00T10:00:00Z',
    '2026-11-20T18:51:53.Z',
    '2026-11-20T18:51:53,5Z',
    '2026-11-20T18:51:53+24:00',
    '2026-11-20T18:51:53+05:60',
    '2026-11-20T18:51:53+05',
    '2026-11-20T18:51:53 +05:00',
    '2026-11-20T18:51:53Z\n',
    ' 2026-11-20T18:51:53Z',
    '２０２６-11-20T18:51:53Z',
    '+002026-11-20T18:51:53Z',
    '-000001-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
  ])('rejects %j', (text) => {
    expect(parseTimestamp(text)).toBe('invalid')
  })
})

describe('the edges of the calendar', () => {
  it('maps a leap second to the next second, only at the end of a month in UTC', () => {
    expect(parseTimestamp('2016-12-31T23:59:60Z')).toBe(us('2017-01-01T00:00:00Z'))
    expect(parseTimestamp('2017-01-01T05:29:60.25+05:30')).toBe(us('2017-01-01T00:00:00Z') + 250_000)
    expect(parseTimestamp('2016-12-31T23:59:60+05:30')).toBe('invalid')
    expect(parseTimestamp('2016-12-30T23:59:60Z')).toBe('invalid')
    expect(parseTimestamp('2016-12-31T12:00:60Z')).toBe('invalid')
  })

  it('accepts the years 0000 to 9999 in UTC', () => {
    expect(parseTimestamp('0000-01-01T00:00:00Z')).toBe(us('0000-01-01T00:00:00Z'))
    expect(parseTimestamp('0000-01-01T00:00:00+00:01')).toBe('invalid')
    expect(parseTimestamp('9999-12-31T23:59:59Z')).toBe(us('9999-12-31T23:59:59Z'))
    expect(parseTimestamp('9999-12-31T23:59:59-00:01')).toBe('invalid')
    expect(parseTimestamp('9999-12-31T23:59:60Z')).toBe('invalid')
  })

  it('drops the fraction where a number cannot represent microseconds', () => {
    expect(parseTimestamp('9999-12-31T23:59:59.999999Z')).toBe(us('9999-12-31T23:59:59Z'))
  })
})

describe('any timestamp', () => {
  it('parses to its instant at any offset', () => {
    const micros = fc.integer({ min: 0, max: 999_999 })
    fc.assert(
      fc.property(exactSeconds, micros, offsets, (second, micro, { minutes, colon }) => {
        const fraction = String(micro).padStart(6, '0')
        const text = `${wallText(second * 1000, minutes)}.${fraction}${offsetText(minutes, colon)}`
        expect(parseTimestamp(text)).toBe(second * 1_000_000 + micro)
      }),
      { numRuns: 1000 },
    )
  })

  it('matches Date for any millisecond', () => {
    const range = { min: new Date('1690-01-01'), max: new Date('2250-01-01'), noInvalidDate: true }
    fc.assert(
      fc.property(fc.date(range), (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.getTime() * 1000)
      }),
      { numRuns: 1000 },
    )
  })

  it('is valid only if its day exists in the month', () => {
    const year = fc.integer({ min: 1700, max: 2200 })
    fc.assert(
      fc.property(year, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }), (y, m, d) => {
        const isLeapYear = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0
        const days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        const text = `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}T12:00:00Z`
        const exists = d <= (days[m - 1] ?? 0)
        expect(parseTimestamp(text)).toBe(exists ? Date.UTC(y, m - 1, d, 12) * 1000 : 'invalid')
      }),
      { numRuns: 1000 },
    )
  })

  it('parses to an integer or a problem for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (text) => {
        const at = parseTimestamp(text)
        expect(at === 'invalid' || at === 'missing_offset' || Number.isInteger(at)).toBe(true)
      }),
    )
  })
})

describe('the offset of a timestamp', () => {
  it.each([
    ['2026-11-20T09:00:00Z', 0],
    ['2026-11-20T09:00:00+05:30', 330],
    ['2026-11-20T09:00:00-0300', -180],
    ['2026-11-20T09:00:00', 0],
    ['not a timestamp', 0],
  ])('of %s is %d minutes', (text, minutes) => {
    expect(parseOffsetMinutes(text)).toBe(minutes)
  })
})
