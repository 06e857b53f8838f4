import { isDay } from '@service/contract'
import { maxCountUpTo } from '@service/contract/admin/pages'
import { fromLocal, inZones, localDay } from '../core/zones.ts'

// Number and time formats of the dashboard. English, in the reader's time zone.

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const exact = inZones({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})
/** `19 Nov 2026, 14:02:11 CET` */
export const exactTime = (at: number, zone: string): string => exact(zone).format(at)

const minutes = inZones({ hour: '2-digit', minute: '2-digit' })
/** `14:02` */
export const clockTime = (at: number, zone: string): string => minutes(zone).format(at)

const seconds = inZones({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
/** `14:02:11` */
export const secondsTime = (at: number, zone: string): string => seconds(zone).format(at)

/** The first instant of a day (`YYYY-MM-DD`) in the zone. Other text stays as it is, because the server refuses it. */
export const startOfDay = (day: string, zone: string): string =>
  isDay(day) ? new Date(fromLocal(Date.parse(day), zone).utcMs).toISOString() : day

export const startOfNextDay = (day: string, zone: string): string =>
  isDay(day) ? startOfDay(dayAfter(day, 1), zone) : day

/** The last second of a day. */
export const endOfDay = (day: string, zone: string): string =>
  isDay(day) ? new Date(Date.parse(startOfNextDay(day, zone)) - second).toISOString() : day

/** The day (`YYYY-MM-DD`) a number of days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 24 * hour).toISOString().slice(0, 10)

interface WorkspaceDay {
  readonly now: number
  readonly workspace: { readonly zone: string }
}

/** Whether a due date is over, by the calendar of the workspace. */
export const isPast = (day: string | null, { now, workspace }: WorkspaceDay): boolean =>
  day !== null && day.slice(0, 10) < localDay(now, workspace.zone)

const dayAndYear = inZones({ day: 'numeric', month: 'short', year: 'numeric' })
/** `19 Nov`, or `19 Nov 2025` in another year. */
export function shortDay(at: number, { now, zone }: { readonly now: number; readonly zone: string }): string {
  const text = dayAndYear(zone).format(at)
  return text.slice(-5) === dayAndYear(zone).format(now).slice(-5) ? text.slice(0, -5) : text
}

const dayInWords = inZones({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
/** `Thursday, 19 November 2026`, from `YYYY-MM-DD`. */
export const longDay = (day: string): string => dayInWords('UTC').format(Date.parse(day))

const dayOfWeek = inZones({ weekday: 'short', day: 'numeric', month: 'short' })
/** `Thu, 19 Nov`, from `YYYY-MM-DD`. */
export const weekDay = (day: string): string => dayOfWeek('UTC').format(Date.parse(day))

/** `now`, `2 min`, `3 h`, `Yesterday`, `19 Nov`; for future times `in 2 min`, `in 3 h`, `Tomorrow`, `19 Nov`. */
export function shortTime(at: number, view: { readonly now: number; readonly zone: string }): string {
  const { now, zone } = view
  const distance = Math.abs(now - at)
  const isFuture = at > now
  if (distance < minute) return 'now'
  if (distance < hour) return inFuture(`${Math.floor(distance / minute)} min`, isFuture)
  if (distance < day && localDay(at, zone) === localDay(now, zone))
    return inFuture(`${Math.floor(distance / hour)} h`, isFuture)
  if (distance < 3 * day && localDay(at, zone) === localDay(isFuture ? now + day : now - day, zone))
    return isFuture ? 'Tomorrow' : 'Yesterday'
  return shortDay(at, view)
}

const inFuture = (text: string, isFuture: boolean) => (isFuture ? `in ${text}` : text)

/** `84 ms`, `1.2 s`, `6 min`, `3 h 12 min`, `2 d`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < minute) return `${(ms / 1000).toFixed(1)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms >= 2 * day) return `${Math.floor(ms / day)} d`
  const rest = Math.floor((ms % hour) / minute)
  return rest === 0 ? `${Math.floor(ms / hour)} h` : `${Math.floor(ms / hour)} h ${rest} min`
}

const whole = new Intl.NumberFormat('en-GB')

/** `1,208` */
export const count = (value: number): string => whole.format(value)

const amounts = new Map<string | null, Intl.NumberFormat>()

/** `€38,000.00`, or `38,000.00` without a currency. */
export function money(value: string | number | null, currency: string | null): string {
  if (value === null) return '–'
  const options: Intl.NumberFormatOptions =
    currency === null ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { style: 'currency', currency }
  const formatter = amounts.get(currency) ?? new Intl.NumberFormat('en-GB', options)
  amounts.set(currency, formatter)
  return formatter.format(Number(value))
}

/** `9.9 %` */
export const percent = (part: number, total: number): string =>
  total === 0 ? '–' : `${((100 * part) / total).toFixed(1)} %`

const sizes = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** `5.2 MB` */
export function bytes(value: number): string {
  const step = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3))
  const shown = value / 1000 ** step
  return `${step === 0 ? count(shown) : shown.toFixed(1)} ${sizes[step]}`
}

/** `3 tickets`, `1 ticket` */
export const pluralize = (value: number, singular: string, plural = `${singular}s`): string =>
  `${count(value)} ${value === 1 ? singular : plural}`

/** `120 tickets`, or `more than 10,000 tickets` if counting stopped. */
export function pluralizeCounted(
  { count: value, is_exact }: { readonly count: number; readonly is_exact: boolean },
  noun: string,
): string {
  if (is_exact) return pluralize(value, noun)
  return `${value < maxCountUpTo ? 'at least' : 'more than'} ${pluralize(value, noun)}`
}

/** The entry for a text that users choose. Without this, `constructor` would be found in every table. */
export const findEntry = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** A readable form of `in_progress`: `In progress`. */
export function words(name: string): string {
  const text = name === 'todo' ? 'to do' : name.replaceAll('_', ' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
