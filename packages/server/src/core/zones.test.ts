import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromLocal, localDay, offsetMs } from './zones.ts'

describe('the local day of an instant', () => {
  it('begins at midnight in UTC', () => {
    expect(localDay(Date.parse('2026-11-20T23:59:59Z'), 'UTC')).toBe('2026-11-20')
    expect(localDay(Date.parse('2026-11-21T00:00:00Z'), 'UTC')).toBe('2026-11-21')
  })

  it('is the calendar day in the zone', () => {
    const at = Date.parse('2026-11-20T22:30:00Z')
    expect(localDay(at, 'Asia/Kolkata')).toBe('2026-11-21')
    expect(localDay(at, 'America/Los_Angeles')).toBe('2026-11-20')
    expect(localDay(at, 'Pacific/Kiritimati')).toBe('2026-11-21')
  })

  it('begins at local midnight, also when daylight saving time starts or ends', () => {
    // Berlin leaves summer time on 25 October 2026: that day lasts from 22:00Z to 23:00Z of the next.
    expect(localDay(Date.parse('2026-10-24T21:59:59Z'), 'Europe/Berlin')).toBe('2026-10-24')
    expect(localDay(Date.parse('2026-10-24T22:00:00Z'), 'Europe/Berlin')).toBe('2026-10-25')
    expect(localDay(Date.parse('2026-10-25T22:59:59Z'), 'Europe/Berlin')).toBe('2026-10-25')
    expect(localDay(Date.parse('2026-10-25T23:00:00Z'), 'Europe/Berlin')).toBe('2026-10-26')
  })

  it('follows a zone that skipped a whole day', () => {
    expect(localDay(Date.parse('2011-12-30T09:59:59Z'), 'Pacific/Apia')).toBe('2011-12-29')
    expect(localDay(Date.parse('2011-12-30T10:00:00Z'), 'Pacific/Apia')).toBe('2011-12-31')
  })

  it('ends with the last microsecond before midnight, also before 1970', () => {
    expect(localDay(Date.parse('1970-01-01T00:00:00Z') - 0.001, 'UTC')).toBe('1969-12-31')
    expect(localDay(Date.parse('2026-11-21T00:00:00Z') - 0.001, 'UTC')).toBe('2026-11-20')
  })

  it('matches plain arithmetic for zones with a fixed offset', () => {
    const year2100 = Date.UTC(2100, 0)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: year2100 }), fc.integer({ min: -12, max: 14 }), (at, hours) => {
        // The names of these zones have the opposite sign: Etc/GMT-5 is five hours ahead of UTC.
        const zone = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
        const shifted = new Date(at + hours * 3_600_000)
        expect(localDay(at, zone)).toBe(shifted.toISOString().slice(0, 10))
      }),
    )
  })

  it('rejects an unknown zone', () => {
    expect(() => localDay(0, 'Europe/Atlantis')).toThrow(RangeError)
  })
})

it.each([
  ['an ordinary time', 'Europe/Berlin', '2026-07-01T12:00:00Z', '2026-07-01T10:00:00Z', 'once'],
  ['a time that a clock change skips', 'Europe/Berlin', '2026-03-29T02:30:00Z', '2026-03-29T01:30:00Z', 'never'],
  ['a time that occurs twice', 'Europe/Berlin', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00Z', 'twice'],
  ['a midnight that does not exist', 'America/Santiago', '2026-09-06T00:00:00Z', '2026-09-06T04:00:00Z', 'never'],
  ['an offset with seconds', 'Africa/Monrovia', '1970-01-01T00:00:00Z', '1970-01-01T00:44:30Z', 'once'],
])('%s in %s becomes an instant', (_, zone, local, instant, occurs) => {
  const found = fromLocal(Date.parse(local), zone)
  expect([new Date(found.utcMs).toISOString(), found.occurs]).toEqual([instant.replace('Z', '.000Z'), occurs])
  if (occurs !== 'never') expect(found.utcMs + offsetMs(found.utcMs, zone)).toBe(Date.parse(local))
})
