import type { Micros } from '../../../core/clock.ts'
import type { Session } from './punch.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The calendar day (`YYYY-MM-DD`) that a clock on the wall in this IANA zone shows. Throws RangeError for no zone. */
export function localDay(at: Micros, zone = 'UTC'): string {
  const parts = new Map<string, string>()
  for (const { type, value } of formatterOf(zone).formatToParts(Math.floor(at / 1000))) parts.set(type, value)
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

/** A night shift belongs to the day it began. */
export const attendanceDay = (session: Pick<Session, 'checkInAt'>, zone?: string): string =>
  localDay(session.checkInAt, zone)

/** Time worked, or null while the session is open. Counted in UTC: a night with a changed clock is 1 h longer or shorter. */
export const workedUs = ({ checkInAt, checkOutAt }: Session): Micros | null =>
  checkOutAt === null ? null : checkOutAt - checkInAt

// Building a formatter loads the zone's rules and costs far more than using it, so each zone keeps its own.
// The map stays small: only names that Intl accepts get in.
function formatterOf(zone: string): Intl.DateTimeFormat {
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
