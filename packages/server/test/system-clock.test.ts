import { expect, test } from 'vitest'
import { microsPerDay, microsPerHour, microsPerSecond, toServerClock } from '../src/core/clock.ts'
import { movableClock } from '../src/testing/movable-clock.ts'
import { machine } from './machine.ts'

const hour = microsPerHour / 1000
const day = microsPerDay / 1000

test.each([hour, -hour, 6 * day, -6 * day])('a clock that is set by %d ms tells it and measures on', (stepMs) => {
  const { pass, set, ...host } = machine()
  const clock = host.clock()
  const before = { now: clock.now(), elapsed: clock.elapsedMs(), schedule: clock.scheduleNow() }
  set(stepMs)
  pass(1000)
  expect(clock.now() - before.now).toBe(stepMs * 1000 + microsPerSecond)
  expect(clock.elapsedMs() - before.elapsed).toBe(1000)
  expect(clock.scheduleNow() - before.schedule).toBe(microsPerSecond)
  expect(clock.toWall(clock.scheduleNow() + microsPerSecond)).toBe(clock.now() + microsPerSecond - 1)
})

test('a small correction backwards keeps the order of readings, and the schedule goes with it', () => {
  const { pass, set, ...host } = machine()
  const clock = host.clock()
  const first = clock.now()
  set(-500)
  expect([clock.now() - first, clock.now() - first]).toEqual([1, 2])
  expect(clock.scheduleNow() - first).toBe(-500_000)
  pass(1000)
  expect(clock.now() - first).toBe(500_000)
})

test('a schedule that is shared stays within what a reading of the shared clock allows', () => {
  const { pass, ...host } = machine()
  const clock = host.clock()
  const start = clock.scheduleNow()
  clock.syncSchedule?.({ at: start + microsPerHour, askedAtMs: 5_000, answeredAtMs: 5_000 })
  expect(clock.scheduleNow()).toBe(start + microsPerHour)
  pass(1000)
  // Asked at 5,500 and answered at 6,000: the hour fits into that, so nothing moves.
  clock.syncSchedule?.({ at: start + microsPerHour + 700_000, askedAtMs: 5_500, answeredAtMs: 6_000 })
  expect(clock.scheduleNow()).toBe(start + microsPerHour + microsPerSecond)
  clock.syncSchedule?.({ at: start, askedAtMs: 5_900, answeredAtMs: 6_000 })
  expect(clock.scheduleNow()).toBe(start + 100_000)
})

test('what a clock is put forward by hand has passed, and what it is put back has passed all the same', () => {
  const { pass, ...host } = machine()
  const clock = movableClock({ aheadBy: 0 }, host.clock())
  clock.freeze()
  const before = clock.elapsedMs()
  pass(1000)
  expect(clock.elapsedMs() - before).toBe(0)
  clock.moveTo(clock.now() + microsPerHour)
  expect(clock.elapsedMs() - before).toBe(hour)
  clock.moveTo(clock.now() - microsPerDay)
  expect(clock.elapsedMs() - before).toBe(hour)
  clock.unfreeze()
  pass(1000)
  expect(clock.elapsedMs() - before).toBe(hour + 1000)
  expect(clock.scheduleNow()).toBe(clock.now())
})

test('of a clock that cannot measure, whatever it has gone forward has passed', () => {
  let now = 1_000_000
  const clock = toServerClock({ now: () => now })
  const before = clock.elapsedMs()
  now += microsPerSecond
  expect(clock.elapsedMs() - before).toBe(1000)
  now -= microsPerHour
  expect(clock.elapsedMs() - before).toBe(1000)
  now += 2000
  expect(clock.elapsedMs() - before).toBe(1002)
})

test('a clock that may be moved shows what a shared clock showed, until it is moved', () => {
  const { pass, ...host } = machine()
  const clock = movableClock({ aheadBy: 0 }, host.clock())
  pass(1000)
  const at = clock.scheduleNow() + microsPerHour
  const sync = () => clock.syncSchedule?.({ at, askedAtMs: clock.elapsedMs(), answeredAtMs: clock.elapsedMs() })
  sync()
  expect(clock.scheduleNow()).toBe(at)
  clock.moveTo(at + microsPerDay)
  sync()
  expect(clock.scheduleNow()).toBe(at + microsPerDay)
})
