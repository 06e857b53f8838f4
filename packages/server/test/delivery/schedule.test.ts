import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { microsPerDay, microsPerSecond } from '../../src/core/clock.ts'
import { afterFailure, afterSuccess, healthy, maxSendLimit } from '../../src/delivery/queues/health.ts'
import { paceAllowsAt, paceOn } from '../../src/delivery/queues/leased-queue.ts'
import { deliveryId } from '../../src/delivery/queues/request.ts'
import { schedule } from '../../src/delivery/queues/retry-schedule.ts'
import { nextAttempt, retryAfterTime } from '../../src/delivery/worker/retry-decision.ts'

const now = Date.parse('2026-11-20T18:51:53Z') * 1000

test('the ten attempts of the schedule take 75 hours and 35 minutes', () => {
  expect(schedule).toHaveLength(10)
  expect(schedule.reduce<number>((sum, seconds) => sum + seconds, 0)).toBe(75 * 3600 + 35 * 60 + 5)
})

test('jitter stays within a fifth of the wait, and a retry never precedes Retry-After', async () => {
  await fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.option(fc.integer({ min: now, max: now + microsPerDay }), { nil: undefined }),
      (attempts, random, retryAfter) => {
        const at = nextAttempt({ attempts, now, random, retryAfter }) ?? 0
        const wait = (schedule[attempts] ?? 0) * microsPerSecond
        expect(at).toBeGreaterThanOrEqual(Math.max(now + wait * 0.8, retryAfter ?? 0) - 1)
        expect(at).toBeLessThanOrEqual(Math.max(now + wait * 1.2, retryAfter ?? 0) + 1)
      },
    ),
  )
  expect(nextAttempt({ attempts: 10, now, random: 0.5, retryAfter: now })).toBeUndefined()
})

test.each([
  ['120', 120],
  ['1.5', 1.5],
  ['0', 0],
  ['  30 ', 30],
  ['99999999', 86_400],
  ['Fri, 20 Nov 2026 18:52:53 GMT', 60],
  ['Friday, 20-Nov-26 18:52:53 GMT', 60],
  ['Fri Nov 20 18:52:53 2026', 60],
  ['Fri, 20 Nov 2026 18:00:00 GMT', 0],
  ['Sun, 20 Dec 2026 18:52:53 GMT', 86_400],
])('Retry-After: %s is in %d seconds', (header, seconds) => {
  expect(retryAfterTime(header, now)).toBe(now + seconds * microsPerSecond)
})

test.each(['', 'soon', '-5', '1e3', '2026-11-20T19:00:00Z', 'Fri, 99 Foo 2026 18:52:53 GMT', 'NaN', '0x10'])(
  'Retry-After: %j is ignored',
  (header) => {
    expect(retryAfterTime(header, now)).toBeUndefined()
  },
)

test('any sequence of outcomes leaves 1 to 64 concurrent requests and a pause of at most a minute', async () => {
  await fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 200 }), (outcomes) => {
      let health = healthy
      for (const success of outcomes) {
        health = (success ? afterSuccess : afterFailure)(health, now)
        expect(health.sendLimit).toBeGreaterThanOrEqual(1)
        expect(health.sendLimit).toBeLessThanOrEqual(maxSendLimit)
        expect(health.pausedUntil ?? now).toBeLessThanOrEqual(now + 60 * microsPerSecond)
        expect(health.failingSince === null).toBe(success)
      }
    }),
  )
})

test('the rate limit holds within five percent over any minute', async () => {
  await fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 6000 }),
      fc.array(fc.integer({ min: 0, max: 500_000 }), { minLength: 1, maxLength: 300 }),
      (rate, gaps) => {
        let paced: number | null = null
        let at = now
        const sent: number[] = []
        for (const gap of gaps) {
          at = Math.max(at + gap, paceAllowsAt(paced, rate))
          paced = paceOn(paced, at, rate)
          sent.push(at)
        }
        for (const [index, begin] of sent.entries()) {
          const inMinute = sent.slice(index).filter((each) => each < begin + 60 * microsPerSecond).length
          expect(inMinute).toBeLessThanOrEqual(Math.ceil(rate * 1.05) + 1)
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('a delivery id is a version 8 UUID derived from the event and the subscription', () => {
  const id = deliveryId('0c2e', 7)
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(deliveryId('0c2e', 7)).toBe(id)
  expect(new Set([id, deliveryId('0c2e', 8), deliveryId('0c2f', 7), deliveryId('0c2', 37)]).size).toBe(4)
})
