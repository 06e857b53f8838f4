/** Formats minor units for responses: `"1234.50"`. */
export function toMoney(minor: number): string {
  const units = Math.floor(minor / 100)
  return `${units}.${String(minor - units * 100).padStart(2, '0')}`
}

export const toMoneyOrNull = (minor: number | null) => (minor === null ? null : toMoney(minor))

/**
 * Converts a number to minor units, rounding its shortest decimal form half up. 1.005 becomes 101 although its binary
 * value is slightly lower.
 */
export function toMinorUnits(amount: number): number {
  const [digits = '0', exponent = '0'] = amount.toString().split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const shift = Number(exponent) + 2
  return roundedHead(`${whole}${fraction.padEnd(shift, '0')}`, whole.length + shift)
}

export const toMinorUnitsOrNull = (amount: number | null | undefined) =>
  typeof amount === 'number' ? toMinorUnits(amount) : null

/** The first `length` digits as a number, rounded half up by the next digit. */
function roundedHead(digits: string, length: number): number {
  if (length < 0) return 0
  const head = Number(digits.slice(0, length) || '0')
  return digits.charAt(length) >= '5' ? head + 1 : head
}
