import type { TimestampFormat } from '@service/contract/admin/hrms-input'
import type { Micros } from '../../../core/clock.ts'
import { fromLocal, offsetMs } from '../../../core/zones.ts'
import { parseOffsetMinutes, parseTimestamp } from './punch-timestamp.ts'

/** How a device writes times that have no UTC offset. */
export interface DeviceClock {
  /** An IANA time zone. */
  readonly time_zone: string | null
  readonly timestamp_format: TimestampFormat | null
}

export interface PunchTime {
  readonly at: Micros
  readonly offsetMinutes: number
  /** Says which instant was taken if a local time occurs twice or not at all. */
  readonly note: string | null
}

type DeviceTimeProblem = 'missing_offset' | 'missing_zone' | 'wrong_format' | 'invalid'

/** Reads an instant with an offset, or a time in the format of the device's clock. */
export function readDeviceTime(text: string, clock: DeviceClock): PunchTime | DeviceTimeProblem {
  const at = parseTimestamp(text)
  if (typeof at === 'number') return { at, offsetMinutes: parseOffsetMinutes(text), note: null }
  const { timestamp_format: format, time_zone: zone } = clock
  if (format === null) return at
  if (format === 'epoch_seconds' || format === 'epoch_ms') return readEpoch(text, format, zone)
  const spaced = text.trim().replace(' ', 'T').replace(' ', '')
  const withOffset = format === 'iso_local' ? parseTimestamp(spaced) : 'invalid'
  if (typeof withOffset === 'number') return { at: withOffset, offsetMinutes: parseOffsetMinutes(spaced), note: null }
  const wall = readWallClock(text.trim(), format)
  if (wall === undefined) return 'wrong_format'
  return zone === null ? 'missing_zone' : toInstant(wall, zone)
}

const epochShapes = { epoch_seconds: /^\d{9,11}(?:\.\d{1,9})?$/, epoch_ms: /^\d{12,14}(?:\.\d{1,6})?$/ }

function readEpoch(text: string, format: keyof typeof epochShapes, zone: string | null): PunchTime | DeviceTimeProblem {
  if (!epochShapes[format].test(text)) return 'wrong_format'
  const at = Math.floor(Number(text) * (format === 'epoch_ms' ? 1000 : 1_000_000))
  return {
    at,
    offsetMinutes: zone === null ? 0 : Math.trunc(offsetMs(Math.floor(at / 1000), zone) / msPerMinute),
    note: null,
  }
}

const time =
  '(?:[Tt]|, ?| +)(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9}))?)?(?: ?(?<half>[AaPp][Mm]))?$'
const shapes = {
  iso_local: new RegExp(`^(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})${time}`),
  dmy: new RegExp(`^(?<day>\\d{1,2})[-/.](?<month>\\d{1,2})[-/.](?<year>\\d{4})${time}`),
  mdy: new RegExp(`^(?<month>\\d{1,2})[-/.](?<day>\\d{1,2})[-/.](?<year>\\d{4})${time}`),
}

interface WallClock {
  /** The local time as if it were UTC. */
  readonly ms: number
  /** The part below a millisecond, in microseconds. */
  readonly micros: number
}

function readWallClock(text: string, format: keyof typeof shapes): WallClock | undefined {
  const { year, month, day, hour, minute, second = '0', fraction = '', half } = shapes[format].exec(text)?.groups ?? {}
  if (year === undefined) return undefined
  const hours = toHour(Number(hour), half?.toLowerCase())
  const parts = [Number(year), Number(month), Number(day), hours, Number(minute), Number(second)] as const
  const ms = Date.UTC(parts[0], parts[1] - 1, ...parts.slice(2))
  // Date.UTC moves 31 February and 24:00 to another day.
  const read = new Date(ms)
  const back = [read.getUTCFullYear(), read.getUTCMonth() + 1, read.getUTCDate(), read.getUTCHours()]
  const isReal = back.every((part, index) => part === parts[index]) && parts[4] < 60 && parts[5] < 60
  return isReal ? { ms, micros: Number(fraction.slice(0, 6).padEnd(6, '0')) } : undefined
}

/** 12 AM is 0 and 12 PM is 12. An hour that does not exist is 24, which is refused. */
function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return 24
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

const msPerMinute = 60_000

/** If the local time occurs twice or never, a note says what was taken. */
function toInstant({ ms, micros }: WallClock, zone: string): PunchTime {
  const { utcMs, occurs } = fromLocal(ms, zone)
  const shown = offsetMs(utcMs, zone)
  const at = utcMs * 1000 + micros
  const offsetMinutes = Math.trunc(shown / msPerMinute)
  if (occurs === 'once') return { at, offsetMinutes, note: null }
  const day = `in ${zone} on ${dateOf(ms)}`
  const note =
    occurs === 'twice'
      ? `${toClockTime(ms)} occurred twice ${day}. The first one was taken.`
      : `${toClockTime(ms)} did not exist ${day}. ${toClockTime(utcMs + shown)} was taken.`
  return { at, offsetMinutes, note }
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const toClockTime = (ms: number) => new Date(ms).toISOString().slice(11, 16)
