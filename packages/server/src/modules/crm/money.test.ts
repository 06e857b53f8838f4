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
])('keeps two decimals of %d, rounding half up', (amount, minor) => {
  expect(toMinorUnits(amount)).toBe(minor)
})

test('shows every amount of whole cents as it was given', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000_000 }), (minor) => {
      expect(toMinorUnits(Number(toMoney(minor)))).toBe(minor)
    }),
  )
})

test('shows two places always', () => {
  expect([toMoney(0), toMoney(5), toMoney(123450)]).toEqual(['0.00', '0.05', '1234.50'])
})

test('shows an amount that is not known as none', () => {
  expect([toMoneyOrNull(null), toMoneyOrNull(0), toMoneyOrNull(150)]).toEqual([null, '0.00', '1.50'])
})
