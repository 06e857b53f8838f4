import { describe, expect, test } from 'vitest'
import { microsPerDay, microsPerSecond } from '../../src/core/clock.ts'
import {
  afterFailure,
  afterSuccess,
  crossesWarning,
  type Health,
  healthy,
  shouldDisable,
} from '../../src/delivery/dispatch/health.ts'

const start = Date.parse('2026-11-20T18:51:53Z') * 1000
const at = (seconds: number) => start + seconds * microsPerSecond

/** A receiver that failed at each of these times, in seconds. */
const failedAt = (...times: number[]): Health =>
  times.reduce((health, seconds) => afterFailure(health, at(seconds)), healthy)

describe('how hard a receiver is pressed', () => {
  test('begins with eight at once, one more with every success, up to 64', () => {
    expect(healthy.sendLimit).toBe(8)
    const limits: number[] = []
    let health = healthy
    for (let count = 0; count < 60; count += 1) {
      health = afterSuccess(health, start)
      limits.push(health.sendLimit)
    }
    expect(limits.slice(0, 3)).toEqual([9, 10, 11])
    expect(limits.slice(54)).toEqual([63, 64, 64, 64, 64, 64])
  })

  test('halves with each of three failures, to two at least, and is one from the fourth on', () => {
    const limits = [1, 2, 3, 4, 5].map((count) => failedAt(...Array.from({ length: count }, () => 0)).sendLimit)
    expect(limits).toEqual([4, 2, 2, 1, 1])
  })

  test('is as at the beginning, and one more, after the first success', () => {
    expect(afterSuccess(failedAt(0, 0, 0, 0, 0), at(1))).toEqual({
      ...healthy,
      sendLimit: 9,
      lastSuccessAt: at(1),
      lastFailureAt: at(0),
    })
  })
})

describe('how long a receiver is left alone', () => {
  const pauseOf = (health: Health, now: number) =>
    health.pausedUntil === null ? null : (health.pausedUntil - now) / microsPerSecond

  test('not at all for three failures, then twice as long each time, five seconds at most in the first minute', () => {
    const pauses = [3, 4, 5, 6, 7, 20].map((count) =>
      pauseOf(failedAt(...Array.from({ length: count }, () => 0)), start),
    )
    expect(pauses).toEqual([null, 1, 2, 4, 5, 5])
  })

  test('up to a minute when it has failed for a minute', () => {
    const many = Array.from({ length: 11 }, () => 0)
    expect(pauseOf(failedAt(...many, 59.999), at(59.999))).toBe(5)
    expect(pauseOf(failedAt(...many, 60), at(60))).toBe(60)
    expect(pauseOf(failedAt(0, 0, 0, 0, 0, 0, 60), at(60))).toBe(8)
  })
})

describe('when a subscription is given up', () => {
  const day = microsPerDay / microsPerSecond

  test('counts from the first failure since the last success, and the days on which there was one', () => {
    expect(failedAt(0, 1, day - 1)).toMatchObject({ failingSince: at(0), failingDays: 1, lastFailureAt: at(day - 1) })
    expect(failedAt(0, day, 2 * day, 2 * day + 5)).toMatchObject({ failingSince: at(0), failingDays: 3 })
    expect(afterFailure(afterSuccess(failedAt(0), at(1)), at(2))).toMatchObject({ failingSince: at(2), failingDays: 1 })
    // A day on which nothing was sent is no day of failures.
    expect(failedAt(0, 4 * day).failingDays).toBe(2)
  })

  test('is five days after it, if there were failures on three of them', () => {
    const three = failedAt(0, day, 2 * day)
    expect(shouldDisable(three, at(5 * day) - 1)).toBe(false)
    expect(shouldDisable(three, at(5 * day))).toBe(true)
    expect(shouldDisable(failedAt(0, day), at(5 * day))).toBe(false)
    expect(shouldDisable({ ...three, failingSince: null }, at(5 * day))).toBe(false)
    expect(shouldDisable(healthy, at(5 * day))).toBe(false)
  })

  test('is warned of once at half and once at four fifths of that time', () => {
    const failing = (last: number) => failedAt(0, last)
    expect(crossesWarning(failing(1), at(2.5 * day) - 1)).toBe(false)
    expect(crossesWarning(failing(1), at(2.5 * day))).toBe(true)
    expect(crossesWarning(failing(2.5 * day), at(2.6 * day))).toBe(false)
    expect(crossesWarning(failing(3.9 * day), at(4 * day))).toBe(true)
    expect(crossesWarning(failing(4 * day), at(4.1 * day))).toBe(false)
    expect(crossesWarning(healthy, at(4 * day))).toBe(false)
    expect(crossesWarning({ ...failing(1), failingSince: null }, at(4 * day))).toBe(false)
    expect(crossesWarning({ ...failing(1), lastFailureAt: null }, at(4 * day))).toBe(false)
  })
})
