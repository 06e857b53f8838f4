import { isDay } from '@service/contract'

// Besides ISO 8601, GitLab writes "2015-05-17 18:35:50 UTC" and "2021-04-28 21:50:00 +0200".
const written = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(Z|UTC|[+-]\d\d:?\d\d)$/

const offsetOf = (zone: string) => (/^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z')

/**
 * Integer microseconds UTC. Null for a day that does not exist, and without an offset, because a guessed time zone would
 * be wrong data.
 */
export const parseInstant = (value: unknown): number | null => {
  const parts = typeof value === 'string' ? written.exec(value) : null
  if (parts === null) return null
  const [, date = '', time = '', fraction = '', zone = ''] = parts
  const milliseconds = Date.parse(`${date}T${time}${offsetOf(zone)}`)
  return Number.isNaN(milliseconds) || !isDay(date)
    ? null
    : milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
