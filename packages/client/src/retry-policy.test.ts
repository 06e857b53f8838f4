import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backoffMs, isRetryableStatus, retryDelayMs } from './retry-policy.ts'

it('doubles the maximum wait from 300 ms to 8 s', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((retry) => backoffMs(retry, () => 1))).toEqual([
    300, 600, 1200, 2400, 4800, 8000, 8000,
  ])
})

it('never waits less than requested, and never beyond the deadline', () => {
  const ms = fc.integer({ min: 0, max: 100_000 })
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.nat(20), ms, ms, ms, random, (retry, retryAfterMs, maxRetryAfterMs, remainingMs, chance) => {
      const delay = retryDelayMs({ retry, random: () => chance, retryAfterMs, maxRetryAfterMs, remainingMs })
      if (delay === undefined) {
        expect(
          retryAfterMs > maxRetryAfterMs ||
            Math.max(
              retryAfterMs,
              backoffMs(retry, () => chance),
            ) >= remainingMs,
        ).toBe(true)
      } else {
        expect(delay).toBeGreaterThanOrEqual(retryAfterMs)
        expect(delay).toBeLessThan(remainingMs)
      }
    }),
  )
})

it.each([408, 429, 500, 502, 503, 504])('retries a repeatable request after %i', (status) => {
  expect(isRetryableStatus(status, new Headers(), true)).toBe(true)
})

it.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 501])('does not retry after %i', (status) => {
  expect(isRetryableStatus(status, new Headers(), true)).toBe(false)
  expect(isRetryableStatus(status, new Headers(), false)).toBe(false)
})

it('retries a request that may act twice only after 429 or a 503 with Retry-After', () => {
  const wait = new Headers({ 'retry-after': '1' })
  const repeated = [408, 429, 500, 502, 503, 504].filter((status) => isRetryableStatus(status, new Headers(), false))
  expect(repeated).toEqual([429])
  expect([500, 502, 503, 504].filter((status) => isRetryableStatus(status, wait, false))).toEqual([503])
})

it('follows x-should-retry unless a request might act twice', () => {
  const yes = new Headers({ 'x-should-retry': 'true' })
  const no = new Headers({ 'x-should-retry': 'false' })
  expect(isRetryableStatus(409, yes, true)).toBe(true)
  expect(isRetryableStatus(500, yes, false)).toBe(false)
  expect(isRetryableStatus(503, no, true)).toBe(false)
  expect(isRetryableStatus(429, no, false)).toBe(false)
})
