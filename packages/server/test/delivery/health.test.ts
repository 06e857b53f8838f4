import { describe, expect, test } from 'vitest'
import { microsPerDay, microsPerSecond } from '../../src/core/clock.ts'
import {
  afterFailure,
  afterSuccess,
  crossesWarning,
  type Health,
  healthy,
  shouldDisable,
} from '../../src/delivery/queues/health.ts'

const start = Date.parse('2026-11-20T18:51:53Z') * 1000
const at = (seconds: number) => start + seconds * microsPerSecond

/** The health of a receiver that failed at each of these times, in seconds. */
const failedAt = (...times: number[]): Health =>
  times.reduce((health, seconds) => afterFailure(health, at(seconds)), healthy)

describe('the concurrency limit of a receiver', () => {
  test('starts at eight and grows by one with every success, up to 64', () => {
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

  test('is halved by each of the first three failures, down to two, and is one from the fourth on', () => {
    const limits = [1, 2, 3, 4, 5].map((count) => failedAt(...Array.from({ length: count }, () => 0)).sendLimit)
    expect(limits).toEqual([4, 2, 2, 1, 1])
  })

  test('is the initial limit plus one after the first success', () => {
    expect(afterSuccess(failedAt(0, 0, 0, 0, 0), at(1))).toEqual({
      ...healthy,
      sendLimit: 9,
      lastSuccessAt: at(1),
      lastFailureAt: at(0),
    })
  })
})

describe('the pause of a receiver', () => {
  const pauseOf = (health: Health, now: number) =>
    health.pausedUntil === null ? null : (health.pausedUntil - now) / microsPerSecond

  test('starts after the fourth failure and doubles each time, up to five seconds in the first minute', () => {
    const pauses = [3, 4, 5, 6, 7, 20].map((count) =>
      pauseOf(failedAt(...Array.from({ length: count }, () => 0)), start),
    )
    expect(pauses).toEqual([null, 1, 2, 4, 5, 5])
  })

  test('is at most a minute after the first minute of failures', () => {
    const many = Array.from({ length: 11 }, () => 0)
    expect(pauseOf(failedAt(...many, 59.999), at(59.999))).toBe(5)
    expect(pauseOf(failedAt(...many, 60), at(60))).toBe(60)
    expect(pauseOf(failedAt(0, 0, 0, 0, 0, 0, 60), at(60))).toBe(8)
  })
})

describe('the failure limit of a subscription', () => {
  const day = microsPerDay / microsPerSecond

  test('counts from the first failure since the last success, and counts days with failures', () => {
    expect(failedAt(0, 1, day - 1)).toMatchObject({ failingSince: at(0), failingDays: 1, lastFailureAt: at(day - 1) })
    expect(failedAt(0, day, 2 * day, 2 * day + 5)).toMatchObject({ failingSince: at(0), failingDays: 3 })
    expect(afterFailure(afterSuccess(failedAt(0), at(1)), at(2))).toMatchObject({ failingSince: at(2), failingDays: 1 })
    // A day without attempts is not a day with failures.
    expect(failedAt(0, 4 * day).failingDays).toBe(2)
  })

  test('is five days, with failures on at least three of them', () => {
    const three = failedAt(0, day, 2 * day)
    expect(shouldDisable(three, at(5 * day) - 1)).toBe(false)
    expect(shouldDisable(three, at(5 * day))).toBe(true)
    expect(shouldDisable(failedAt(0, day), at(5 * day))).toBe(false)
    expect(shouldDisable({ ...three, failingSince: null }, at(5 * day))).toBe(false)
    expect(shouldDisable(healthy, at(5 * day))).toBe(false)
  })

  test('is preceded by one warning at half and one at four fifths of that time', () => {
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
