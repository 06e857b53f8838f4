import fc from 'fast-check'
import { microsPerHour, microsPerMinute, microsPerSecond } from '../src/core/clock.ts'
import type { PunchInput } from '../src/modules/hrms/attendance/punch.ts'

// Gaps come from the boundaries of the rules, because uniform gaps would rarely hit them.

const gapsUs = [
  0,
  0,
  1,
  30 * microsPerSecond,
  microsPerMinute,
  microsPerMinute + 1,
  microsPerHour,
  8 * microsPerHour,
  16 * microsPerHour,
  16 * microsPerHour + 1,
  20 * microsPerHour,
]

// The last two are one device whose family was corrected.
const devices = [
  { deviceId: 1, deviceFamily: 'zkteco' },
  { deviceId: 2, deviceFamily: 'zkteco' },
  { deviceId: 3, deviceFamily: 'hikvision' },
  { deviceId: 4, deviceFamily: 'mobile' },
  { deviceId: 4, deviceFamily: 'kiosk' },
]

const step = fc.record({
  gapUs: fc.constantFrom(...gapsUs),
  direction: fc.constantFrom('in' as const, 'out' as const, 'toggle' as const),
  device: fc.constantFrom(...devices),
})

/** Punches of one employee in time order, with ids from 1. */
export const randomPunches = fc.array(step, { maxLength: 30 }).map((steps) => {
  let at = Date.UTC(2026, 10, 16, 8) * 1000
  return steps.map(({ gapUs, direction, device }, index): PunchInput => {
    at += gapUs
    return { id: index + 1, at, direction, ...device }
  })
})

/** The same punches in any other order. */
export const shuffled = <Item>(items: readonly Item[]): fc.Arbitrary<Item[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length })
