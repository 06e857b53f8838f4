/** Formatters of any IANA zone. Making one takes as long as a hundred uses, and Intl rejects names that are not zones. */
export function inZones(options: Intl.DateTimeFormatOptions): (zone: string) => Intl.DateTimeFormat {
  const formatters = new Map<string, Intl.DateTimeFormat>()
  return (timeZone) => {
    const formatter = formatters.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
    formatters.set(timeZone, formatter)
    return formatter
  }
}

const inNumbers = inZones({
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

/** The local time of an instant, as if it were UTC. Throws RangeError for an unknown zone. */
function toLocalMs(utcMs: number, zone: string): number {
  const parts = new Map<string, number>()
  for (const { type, value } of inNumbers(zone).formatToParts(Math.floor(utcMs))) parts.set(type, Number(value))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

export const offsetMs = (utcMs: number, zone: string): number =>
  toLocalMs(utcMs, zone) - Math.floor(utcMs / 1000) * 1000

/** `2026-11-19`: the calendar day of an instant. */
export const localDay = (utcMs: number, zone: string): string =>
  new Date(toLocalMs(utcMs, zone)).toISOString().slice(0, 10)

const msPerDay = 86_400_000

interface FoundInstant {
  readonly utcMs: number
  readonly occurs: 'once' | 'twice' | 'never'
}

/**
 * The instant of a local time. Where clocks are set back, a time occurs twice: the first one is taken. Where they are set
 * forward, a time does not exist: it moves forward by the gap.
 */
export function fromLocal(localMs: number, zone: string): FoundInstant {
  const [before, after] = [offsetMs(localMs - msPerDay, zone), offsetMs(localMs + msPerDay, zone)]
  const matching = [...new Set([before, after])].filter((offset) => offsetMs(localMs - offset, zone) === offset)
  const offset = matching.length === 0 ? before : Math.max(...matching)
  return { utcMs: localMs - offset, occurs: (['never', 'once', 'twice'] as const)[matching.length] ?? 'twice' }
}
