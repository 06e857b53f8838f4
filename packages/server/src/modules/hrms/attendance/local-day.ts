import type { Micros } from '../../../core/clock.ts'
import type { AttendanceSession } from './punch.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The calendar day (`YYYY-MM-DD`) of an instant in an IANA zone. Throws RangeError for an unknown zone. */
export function localDay(at: Micros, zone = 'UTC'): string {
  const parts = new Map<string, string>()
  for (const { type, value } of getFormatter(zone).formatToParts(Math.floor(at / 1000))) parts.set(type, value)
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

/** A night shift counts for the day on which it began. */
export const attendanceDay = (session: Pick<AttendanceSession, 'checkInAt'>, zone?: string): string =>
  localDay(session.checkInAt, zone)

// Building a formatter is far slower than using it, so they are cached per zone.
// The cache stays small because Intl rejects invalid names.
function getFormatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formatters.set(zone, formatter)
  return formatter
}
