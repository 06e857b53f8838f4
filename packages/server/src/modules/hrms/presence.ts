import type { AttendanceSession } from '@service/client/admin'
import type { Span } from '../../ui/components/hours.tsx'
import { clockTime, dayOf, duration } from '../../ui/format.ts'

const minutesOfDay = 1440
const dayMs = 86_400_000

/** The day so many days after another, `YYYY-MM-DD`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** A day that an address names; undefined for what is none. */
export const dayIn = (text: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

interface On {
  readonly day: string
  readonly zone: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** When somebody was there on a day, of sessions that may begin before it or end after it; `worked` is within the day. */
export function presenceOn(sessions: readonly AttendanceSession[], on: On) {
  const parts = sessions
    .map((session) => ({ session, ...spanOf(session, on) }))
    .filter(({ from, to, isOpen }) => to > from || (isOpen && from < minutesOfDay))
    .toSorted((a, b) => a.from - b.from)
  const minutes = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  return {
    spans: parts.map(({ from, to, isOpen }): Span => ({ from, to, isOpen })),
    sentence: parts.length === 0 ? 'Not there' : parts.map(({ session }) => told(session, on)).join(', '),
    worked: parts.length === 0 ? '–' : duration(minutes * 60_000),
    isIn: parts.some(({ isOpen }) => isOpen),
  }
}

function spanOf({ check_in_at, check_out_at }: AttendanceSession, on: On) {
  const end = check_out_at === null ? on.now : Date.parse(check_out_at)
  return {
    from: minuteOf(Date.parse(check_in_at), on),
    to: minuteOf(end, on),
    isOpen: check_out_at === null,
  }
}

/** The minute of a day at which an instant is on a clock on the wall; 0 before the day and 1440 after it. */
function minuteOf(at: number, { day, zone }: On): number {
  const own = dayOf(at, zone)
  if (own !== day) return own < day ? 0 : minutesOfDay
  const [hours = 0, minutes = 0] = clockTime(at, zone).split(':').map(Number)
  return hours * 60 + minutes
}

const told = ({ check_in_at, check_out_at }: AttendanceSession, { zone }: On) =>
  `${clockTime(Date.parse(check_in_at), zone)}–${check_out_at === null ? 'now' : clockTime(Date.parse(check_out_at), zone)}`
