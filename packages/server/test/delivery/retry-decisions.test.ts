import { expect, test } from 'vitest'
import { microsPerSecond } from '../../src/core/clock.ts'
import { parseSchedule, schedule } from '../../src/delivery/queues/retry-schedule.ts'
import type { Outcome } from '../../src/delivery/worker/outcome.ts'
import { type AttemptResult, decideRetry, isGone, nextAttempt } from '../../src/delivery/worker/retry-decision.ts'

const wallNow = Date.parse('2026-11-20T18:51:53Z') * 1000
/** The schedule's clock may differ from the wall clock. */
const now = wallNow - 7_000_000

const failed: Outcome = {
  kind: 'status',
  status: 500,
  error: 'The receiver answered 500.',
  response: null,
  ip: '192.0.2.1',
  durationMs: 5,
  retryAfter: undefined,
  directive: undefined,
}

const decide = (outcome: Partial<Outcome>, attempt: Partial<AttemptResult> = {}) =>
  decideRetry({ ...failed, ...outcome }, { attempts: 1, now, wallNow, random: () => 0.5, schedule, ...attempt })

test('a success finishes a delivery at the wall-clock time', () => {
  expect(decide({ kind: 'ok', status: 204 })).toEqual({ state: 'succeeded', nextAttemptAt: now, finishedAt: wallNow })
})

test.each([
  [1, 5],
  [2, 300],
  [9, 86_400],
])('after failure %d it waits for %d s', (attempts, seconds) => {
  expect(decide({}, { attempts })).toEqual({
    state: 'pending',
    nextAttemptAt: now + seconds * microsPerSecond,
    finishedAt: null,
  })
})

test.each<[string, Partial<Outcome>, Partial<AttemptResult>]>([
  ['its tenth failure', {}, { attempts: 10 }],
  ['410', { status: 410 }, {}],
  ['the directive to disable', { directive: 'disable' }, {}],
  ['the directive to abort', { directive: 'abort-message' }, {}],
])('a delivery fails permanently after %s', (_what, outcome, attempt) => {
  expect(decide(outcome, attempt)).toEqual({ state: 'failed', nextAttemptAt: now, finishedAt: wallNow })
})

test('jitter changes a wait by up to a fifth', () => {
  const waitOf = (random: number) => (decide({}, { random: () => random }).nextAttemptAt - now) / microsPerSecond
  expect([waitOf(0), waitOf(0.5), waitOf(1)]).toEqual([4, 5, 6])
})

test('a Retry-After date is converted from the wall clock to the clock of the schedule', () => {
  const at = new Date(wallNow / 1000 + 60_000).toUTCString()
  expect(decide({ retryAfter: at }).nextAttemptAt).toBe(now + 60 * microsPerSecond)
  expect(decide({ retryAfter: '2' }).nextAttemptAt).toBe(now + 5 * microsPerSecond)
})

test('only status 410 and the disable directive mean that a receiver is gone', () => {
  const gone = (outcome: Partial<Outcome>) => isGone({ ...failed, ...outcome })
  expect([gone({ status: 410 }), gone({ directive: 'disable' })]).toEqual([true, true])
  expect([gone({}), gone({ status: 404 }), gone({ directive: 'abort-message' })]).toEqual([false, false, false])
})

test('a subscription has its own retry schedule or the default one', () => {
  expect(parseSchedule(null)).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect(parseSchedule('[1,60]')).toEqual([0, 1, 60])
  const soon = { attempts: 1, now, random: 0.5, retryAfter: undefined }
  expect(nextAttempt({ ...soon, schedule: parseSchedule('[1,60]') })).toBe(now + microsPerSecond)
  expect(nextAttempt({ ...soon, attempts: 3, schedule: parseSchedule('[1,60]') })).toBeUndefined()
})
