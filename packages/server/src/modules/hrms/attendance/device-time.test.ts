import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DeviceClock, readDeviceTime } from './device-time.ts'

const us = (text: string) => Date.parse(text) * 1000

const berlin = (timestamp_format: DeviceClock['timestamp_format']): DeviceClock => ({
  time_zone: 'Europe/Berlin',
  timestamp_format,
})

describe('a time of a device', () => {
  it.each([
    ['iso_local', '2026-11-15 08:00:00', '2026-11-15T07:00:00Z'],
    ['iso_local', '2026-11-15T08:00', '2026-11-15T07:00:00Z'],
    ['iso_local', '2026/11/15 08:00:00.250', '2026-11-15T07:00:00.250Z'],
    ['iso_local', '2026-11-15 08:00:00+05:30', '2026-11-15T02:30:00Z'],
    ['iso_local', '2026-11-15 08:00:00 +0530', '2026-11-15T02:30:00Z'],
    ['dmy', '15/11/2026 08:00', '2026-11-15T07:00:00Z'],
    ['dmy', '5.7.2026 8:05:09', '2026-07-05T06:05:09Z'],
    ['mdy', '11/15/2026 08:00:01 PM', '2026-11-15T19:00:01Z'],
    ['mdy', '11/15/2026, 12:30 AM', '2026-11-14T23:30:00Z'],
    ['mdy', '11-15-2026 12:30pm', '2026-11-15T11:30:00Z'],
    ['epoch_seconds', '1794729600', '2026-11-15T08:00:00Z'],
    ['epoch_seconds', '1794729600.5', '2026-11-15T08:00:00.500Z'],
    ['epoch_ms', '1794729600123', '2026-11-15T08:00:00.123Z'],
    ['dmy', '2026-11-15T08:00:00Z', '2026-11-15T08:00:00Z'],
  ] as const)('in the format %s: %s is %s', (format, text, instant) => {
    expect(readDeviceTime(text, berlin(format))).toMatchObject({ at: us(instant), note: null })
  })

  it.each([
    ['iso_local', '15/11/2026 08:00'],
    ['iso_local', '2026-02-31 08:00:00'],
    ['iso_local', '2026-11-15 24:00:00'],
    ['iso_local', '2026-11-15'],
    ['dmy', '11/15/2026 08:00'],
    ['mdy', '15/11/2026 08:00'],
    ['mdy', '11/15/2026 13:00 PM'],
    ['mdy', '11/15/2026 0:30 AM'],
    ['epoch_seconds', '1794729600123'],
    ['epoch_ms', '1794729600'],
    ['epoch_ms', '2026-11-15 08:00:00'],
    ['dmy', ''],
  ] as const)('in the format %s refuses %j', (format, text) => {
    expect(readDeviceTime(text, berlin(format))).toBe('wrong_format')
  })

  it('needs a time zone, except for an epoch', () => {
    const clock = { time_zone: null, timestamp_format: 'iso_local' } as const
    expect(readDeviceTime('2026-11-15 08:00:00', clock)).toBe('missing_zone')
    expect(readDeviceTime('1794729600', { ...clock, timestamp_format: 'epoch_seconds' })).toMatchObject({
      at: us('2026-11-15T08:00:00Z'),
      offsetMinutes: 0,
    })
  })

  it('needs a format, also with a time zone', () => {
    expect(readDeviceTime('2026-11-15T08:00:00', berlin(null))).toBe('missing_offset')
    expect(readDeviceTime('2026-11-15 08:00:00', berlin(null))).toBe('invalid')
  })
})

describe('a change of the clocks', () => {
  it('takes the first of two equal times, and says so', () => {
    expect(readDeviceTime('2026-10-25 02:30:00', berlin('iso_local'))).toEqual({
      at: us('2026-10-25T00:30:00Z'),
      offsetMinutes: 120,
      note: '02:30 occurred twice in Europe/Berlin on 2026-10-25. The first one was taken.',
    })
  })

  it('moves a time that does not exist forward, and says so', () => {
    expect(readDeviceTime('2026-03-29 02:30:00', berlin('iso_local'))).toEqual({
      at: us('2026-03-29T01:30:00Z'),
      offsetMinutes: 120,
      note: '02:30 did not exist in Europe/Berlin on 2026-03-29. 03:30 was taken.',
    })
  })

  it.each([
    ['America/New_York', '2026-11-01 01:59:59', '2026-11-01T05:59:59Z', true],
    ['America/New_York', '2026-11-01 02:00:00', '2026-11-01T07:00:00Z', false],
    ['America/New_York', '2026-03-08 03:00:00', '2026-03-08T07:00:00Z', false],
    // Half an hour.
    ['Australia/Lord_Howe', '2026-04-05 01:45:00', '2026-04-04T14:45:00Z', true],
    ['Australia/Lord_Howe', '2026-10-04 02:10:00', '2026-10-03T15:40:00Z', true],
  ] as const)('in %s: %s is %s', (time_zone, text, instant, hasNote) => {
    const read = readDeviceTime(text, { time_zone, timestamp_format: 'iso_local' })
    expect(read).toMatchObject({ at: us(instant), note: hasNote ? expect.stringContaining(time_zone) : null })
  })

  it('returns the local time of any instant, or the first instant with the same local time', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham', 'UTC')
    const seconds = fc.integer({ min: Date.UTC(2020, 0) / 1000, max: Date.UTC(2035, 0) / 1000 })
    fc.assert(
      fc.property(zones, seconds, (time_zone, second) => {
        const text = localText(second * 1000, time_zone)
        const read = readDeviceTime(text, { time_zone, timestamp_format: 'iso_local' })
        if (typeof read === 'string') throw new Error(read)
        expect(localText(read.at / 1000, time_zone)).toBe(text)
        expect(read.at / 1_000_000).toBeLessThanOrEqual(second)
        if (read.note === null) expect(read.at).toBe(second * 1_000_000)
      }),
      { numRuns: 2000 },
    )
  })
})

/** `2026-11-15 08:00:00` */
const localText = (ms: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(ms)
