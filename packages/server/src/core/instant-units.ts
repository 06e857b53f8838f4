const units = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const

type Unit = (typeof units)[number]

const [firstMs, lastMs] = [Date.UTC(1980, 0), Date.UTC(2250, 0)]

/**
 * Throws a TypeError for a number that is an instant between 1980 and 2250 only in another unit. It would silently mean
 * a day of 1970 or a year thousands of years away.
 */
export function requireUnit(value: number, { name, unit }: { readonly name: string; readonly unit: Unit }): void {
  const found = units.findIndex((_, index) => {
    const ms = value * 1000 ** (1 - index)
    return ms >= firstMs && ms < lastMs
  })
  const apart = found - units.indexOf(unit)
  if (found === -1 || apart === 0) return
  const remedy = `${apart > 0 ? 'Divide' : 'Multiply'} it by ${1000 ** Math.abs(apart)}`
  throw new TypeError(`\`${name}\` is in ${unit} since 1970, but ${value} is a time in ${units[found]}. ${remedy}.`)
}
