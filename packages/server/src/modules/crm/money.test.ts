import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMinorUnits, toMoney, toMoneyOrNull } from './money.ts'

test.each([
  [0, 0],
  [1, 100],
  [1234.5, 123450],
  [1.005, 101],
  [0.015, 2],
  [2.675, 268],
  [0.004, 0],
  [0.005, 1],
  [1e-7, 0],
  [6.23456789e-7, 0],
  [5e-3, 1],
  [999999999999.99, 99999999999999],
  [1e12, 100000000000000],
  [12.345678, 1235],
  [0.1 + 0.2, 30],
])('rounds %d half up to two decimals', (amount, minor) => {
  expect(toMinorUnits(amount)).toBe(minor)
})

test('formats whole cents without loss', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000_000 }), (minor) => {
      expect(toMinorUnits(Number(toMoney(minor)))).toBe(minor)
    }),
  )
})

test('formats two decimal places', () => {
  expect([toMoney(0), toMoney(5), toMoney(123450)]).toEqual(['0.00', '0.05', '1234.50'])
})

test('formats an unknown amount as null', () => {
  expect([toMoneyOrNull(null), toMoneyOrNull(0), toMoneyOrNull(150)]).toEqual([null, '0.00', '1.50'])
})
