import { describe, expect, it } from 'vitest'
import { parseInstant } from './instant.ts'

describe('reading an instant', () => {
  it.each([
    ['2015-05-05T23:40:28Z', '2015-05-05T23:40:28.000Z'],
    ['2015-05-17 18:35:50 UTC', '2015-05-17T18:35:50.000Z'],
    ['2021-04-28 21:50:00 +0200', '2021-04-28T19:50:00.000Z'],
    ['2018-07-21T23:19:37+0200', '2018-07-21T21:19:37.000Z'],
    ['2019-05-15T15:20:33-07:00', '2019-05-15T22:20:33.000Z'],
  ])('understands %s', (text, expected) => {
    expect(parseInstant(text)).toBe(Date.parse(expected) * 1000)
  })

  it('keeps microseconds', () => {
    expect(parseInstant('2015-04-06T15:23:38.179678+00:00')).toBe(Date.parse('2015-04-06T15:23:38Z') * 1000 + 179_678)
  })

  it.each([
    ...['2015-05-05T23:40:28', '2015-05-05', 'yesterday', '2015-13-45T99:00:00Z', 1_430_869_228, null],
    ...['2026-02-30T09:00:00Z', '2026-02-29 09:00:00 UTC', '2026-04-31T00:00:00+02:00'],
  ])('does not guess what %s means', (value) => {
    expect(parseInstant(value)).toBeNull()
  })
})
