// Number and time formats of the dashboard. English, in the reader's time zone.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  const formatter = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })
  formatters.set(key, formatter)
  return formatter
}

/** `19 Nov 2026, 14:02:11 CET` */
export const exactTime = (at: number, zone: string): string =>
  formatterOf(zone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(at)

/** `14:02` */
export const clockTime = (at: number, zone: string): string =>
  formatterOf(zone, { hour: '2-digit', minute: '2-digit' }).format(at)

/** `14:02:11` */
export const secondsTime = (at: number, zone: string): string =>
  formatterOf(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at)

/** `2026-11-19`, in the zone. */
export const dayOf = (at: number, zone: string): string =>
  formatterOf(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(at).split('/').toReversed().join('-')

interface WorkspaceDay {
  readonly now: number
  readonly workspace: { readonly zone: string }
}

/** Whether a due date is over, by the calendar of the workspace. */
export const isPast = (day: string | null, { now, workspace }: WorkspaceDay): boolean =>
  day !== null && day.slice(0, 10) < dayOf(now, workspace.zone)

/** `19 Nov`, or `19 Nov 2025` in another year. */
export function shortDay(at: number, { now, zone }: { readonly now: number; readonly zone: string }): string {
  const isThisYear = dayOf(at, zone).slice(0, 4) === dayOf(now, zone).slice(0, 4)
  return formatterOf(zone, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }).format(at)
}

/** `Thursday, 19 November 2026`, from `YYYY-MM-DD`. */
export const longDay = (day: string): string =>
  formatterOf('UTC', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(Date.parse(day))

/** `Thu, 19 Nov`, from `YYYY-MM-DD`. */
export const weekDay = (day: string): string =>
  formatterOf('UTC', { weekday: 'short', day: 'numeric', month: 'short' }).format(Date.parse(day))

/** `now`, `2 min`, `3 h`, `Yesterday`, `19 Nov`; for future times `in 2 min`, `in 3 h`, `Tomorrow`, `19 Nov`. */
export function shortTime(at: number, view: { readonly now: number; readonly zone: string }): string {
  const { now, zone } = view
  const distance = Math.abs(now - at)
  const isFuture = at > now
  if (distance < minute) return 'now'
  if (distance < hour) return inFuture(`${Math.floor(distance / minute)} min`, isFuture)
  if (distance < day && dayOf(at, zone) === dayOf(now, zone))
    return inFuture(`${Math.floor(distance / hour)} h`, isFuture)
  if (!isFuture && dayOf(at, zone) === dayOf(now - day, zone)) return 'Yesterday'
  if (isFuture && dayOf(at, zone) === dayOf(now + day, zone)) return 'Tomorrow'
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

/** `€38,000.00`, or `38,000.00` without a currency. */
export function money(value: string | number | null, currency: string | null): string {
  if (value === null) return '–'
  const options: Intl.NumberFormatOptions =
    currency === null ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { style: 'currency', currency }
  return new Intl.NumberFormat('en-GB', options).format(Number(value))
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

/** A readable form of `in_progress`: `In progress`. */
export function words(name: string): string {
  const text = name === 'todo' ? 'to do' : name.replaceAll('_', ' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
