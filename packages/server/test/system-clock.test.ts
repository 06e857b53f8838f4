import { expect, test } from 'vitest'
import { microsPerDay, microsPerHour, microsPerSecond, toServerClock } from '../src/core/clock.ts'
import { movableClock } from '../src/testing/movable-clock.ts'
import { machine } from './machine.ts'

const hour = microsPerHour / 1000
const day = microsPerDay / 1000

test.each([hour, -hour, 6 * day, -6 * day])('a clock set by %d ms shows the new time and keeps measuring', (stepMs) => {
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

test('a small backward correction keeps readings ordered and moves the schedule', () => {
  const { pass, set, ...host } = machine()
  const clock = host.clock()
  const first = clock.now()
  set(-500)
  expect([clock.now() - first, clock.now() - first]).toEqual([1, 2])
  expect(clock.scheduleNow() - first).toBe(-500_000)
  pass(1000)
  expect(clock.now() - first).toBe(500_000)
})

test('a shared schedule stays within the interval of the last reading', () => {
  const { pass, ...host } = machine()
  const clock = host.clock()
  const start = clock.scheduleNow()
  clock.syncSchedule?.({ databaseTime: start + microsPerHour, sentAtMs: 5_000, receivedAtMs: 5_000 })
  expect(clock.scheduleNow()).toBe(start + microsPerHour)
  pass(1000)
  // Sent at 5,500 and received at 6,000: the schedule is within that interval and does not move.
  clock.syncSchedule?.({ databaseTime: start + microsPerHour + 700_000, sentAtMs: 5_500, receivedAtMs: 6_000 })
  expect(clock.scheduleNow()).toBe(start + microsPerHour + microsPerSecond)
  clock.syncSchedule?.({ databaseTime: start, sentAtMs: 5_900, receivedAtMs: 6_000 })
  expect(clock.scheduleNow()).toBe(start + 100_000)
})

test('moving a clock forward adds elapsed time, and moving it back does not subtract any', () => {
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

test('forward moves of a clock without elapsedMs count as elapsed time', () => {
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

test('a movable clock follows a shared clock until it is moved', () => {
  const { pass, ...host } = machine()
  const clock = movableClock({ aheadBy: 0 }, host.clock())
  pass(1000)
  const at = clock.scheduleNow() + microsPerHour
  const sync = () =>
    clock.syncSchedule?.({ databaseTime: at, sentAtMs: clock.elapsedMs(), receivedAtMs: clock.elapsedMs() })
  sync()
  expect(clock.scheduleNow()).toBe(at)
  clock.moveTo(at + microsPerDay)
  sync()
  expect(clock.scheduleNow()).toBe(at + microsPerDay)
})
