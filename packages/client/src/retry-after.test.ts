import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readWait } from './retry-after.ts'

const now = Date.UTC(2026, 10, 20, 12)
const read = (headers: Record<string, string>) => readWait(new Headers(headers), now)

it.each([
  [{ 'retry-after': '3' }, 3_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '1', 'retry-after-ms': '250' }, 1_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:09 GMT' }, 9_000],
  [{ 'retry-after': 'Friday, 20-Nov-26 12:00:09 GMT' }, 9_000],
  [{ 'retry-after': 'Fri Nov 20 12:00:09 2026' }, 9_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'ratelimit-reset': '7' }, 7_000],
  [{ 'x-ratelimit-reset': '7' }, 7_000],
  [{ 'x-ratelimit-reset': String(now / 1000 + 7) }, 7_000],
  [{ 'x-ratelimit-reset': String(now + 7_000) }, 7_000],
  [{ 'retry-after': '2', 'x-ratelimit-reset': '60' }, 2_000],
  // A proxy repeated the header: the longest wait counts.
  [{ 'retry-after': '2, 2' }, 2_000],
  [{ 'retry-after': '1,3.5 , 2' }, 3_500],
  [{ 'retry-after-ms': '250, 700' }, 700],
  [{ 'x-ratelimit-reset': '7, 7' }, 7_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:09 GMT, Fri, 20 Nov 2026 12:00:11 GMT' }, 11_000],
  [{ 'retry-after': 'Friday, 20-Nov-26 12:00:09 GMT,Friday, 20-Nov-26 12:00:08 GMT' }, 9_000],
  [{ 'retry-after': 'Fri Nov 20 12:00:09 2026, Fri Nov 20 12:00:09 2026' }, 9_000],
])('reads %o as %i ms', (headers, expected) => {
  expect(read(headers)).toBe(expected)
})

it.each([
  '',
  '-1',
  'soon',
  'in 5 minutes',
  '1e3',
  'Fri, 32 Nov 2026 12:00:00 GMT',
  '0x10',
  'NaN',
  'Infinity',
  '2, soon',
  ',',
])('ignores %o', (text) => {
  expect(read({ 'retry-after': text })).toBeUndefined()
})

it("computes waits from the platform's clock, not the local one", () => {
  const headers = { 'retry-after': 'Fri, 20 Nov 2026 18:00:05 GMT', date: 'Fri, 20 Nov 2026 18:00:00 GMT' }
  expect(read(headers)).toBe(5_000)
})

it('never shortens a number of seconds', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(999), (seconds, fraction) => {
      const text = `${seconds}.${String(fraction).padStart(3, '0')}`
      expect(read({ 'retry-after': text })).toBeCloseTo(seconds * 1000 + fraction, 3)
    }),
  )
  expect(read({ 'retry-after': '9'.repeat(400) })).toBe(Number.MAX_SAFE_INTEGER)
})

it('reads the three date forms of HTTP as the same instant', () => {
  const day = ['Sun', 'Mon', 'Tues', 'Wednes', 'Thurs', 'Fri', 'Satur']
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 * 365 * 86_400 }), (seconds) => {
      const instant = new Date(now + seconds * 1000)
      const [weekday = '', date, month, year = '', time] = instant.toUTCString().split(/,? /)
      const long = `${day[instant.getUTCDay()]}day, ${date}-${month}-${year.slice(2)} ${time} GMT`
      const asctime = `${weekday} ${month} ${date?.replace(/^0/, ' ')} ${time} ${year}`
      for (const text of [instant.toUTCString(), long, asctime])
        expect(read({ 'retry-after': text })).toBe(seconds * 1000)
    }),
  )
})

it('never throws and never returns a negative or infinite wait', () => {
  const anyText = fc.string().filter((text) => !/[^\x20-\x7e]/.test(text))
  fc.assert(
    fc.property(anyText, fc.constantFrom('retry-after', 'retry-after-ms', 'ratelimit-reset', 'date'), (text, name) => {
      const wait = read({ [name]: text })
      expect(wait === undefined || (wait >= 0 && Number.isFinite(wait))).toBe(true)
    }),
  )
})
