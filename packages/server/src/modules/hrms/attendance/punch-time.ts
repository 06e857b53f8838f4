import type { AdminDevice } from '@service/contract/admin/hrms'
import { type Micros, microsPerDay, microsPerMinute } from '../../../core/clock.ts'
import { validation } from '../../../core/errors.ts'
import { type DeviceClock, type PunchTime, readDeviceTime } from './device-time.ts'
import { isDeviceTime } from './other-time.ts'

const maxAheadUs = 5 * microsPerMinute
const maxAgeUs = 31 * microsPerDay

interface TimeRules {
  readonly now: Micros
  /** Undefined where a UTC offset is required. */
  readonly clock: DeviceClock | undefined
}

const noClock: DeviceClock = { time_zone: null, timestamp_format: null }

/** The instant of a punch. Throws a validation error that says what the timestamp must be. */
export function requireTime(timestamp: string, { now, clock }: TimeRules): PunchTime {
  const time = readDeviceTime(timestamp, clock ?? noClock)
  if (typeof time === 'string') throw timestampError(describeProblem(time, { timestamp, clock }))
  if (time.at > now + maxAheadUs) throw timestampError('must not be more than 5 minutes in the future.')
  if (time.at < now - maxAgeUs) throw timestampError('must not be older than 31 days.')
  return time
}

const settings = 'the time_zone and the timestamp_format of the device or of the attendance integration'

const examples = {
  iso_local: '2026-11-20 09:00:00',
  dmy: '20/11/2026 09:00:00',
  mdy: '11/20/2026 09:00:00',
  epoch_seconds: '1795165200',
  epoch_ms: '1795165200000',
}

const hasOffset = (text: string) => /(?:\d:\d\d(?:[.,]\d+)?|t\d{4,6}) ?(?:z|[+-]\d\d:?\d\d)$/i.test(text)
const hasHourOffset = (text: string) => /\d:\d\d(?:[.,]\d+)? ?[+-]\d\d$/.test(text)
const isInstant = (text: string) => /^\d{4}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)$/i.test(text)

interface Refused {
  readonly timestamp: string
  readonly clock: DeviceClock | undefined
}

function describeProblem(
  problem: Exclude<ReturnType<typeof readDeviceTime>, PunchTime>,
  { timestamp, clock }: Refused,
) {
  const format = clock?.timestamp_format ?? null
  if (problem === 'missing_zone') return `has no UTC offset. Set ${settings}.`
  if (hasHourOffset(timestamp)) return 'must have a UTC offset with minutes, e.g. 2026-11-20T09:00:00+01:00.'
  if (problem === 'wrong_format' && format !== null)
    return `must be in the format ${format}, e.g. ${examples[format]}, or an ISO 8601 date-time with a UTC offset.`
  if (isInstant(timestamp)) return 'must have a date, a time, and a UTC offset that exist.'
  if (hasOffset(timestamp)) return 'must be in ISO 8601 format, e.g. 2026-11-20T09:00:00+01:00.'
  if (clock !== undefined && isDeviceTime(timestamp))
    return `must have a UTC offset, e.g. 2026-11-20T09:00:00+01:00. If the device cannot send one, set ${settings}.`
  if (problem === 'missing_offset') return 'must have a UTC offset, e.g. 2026-11-20T09:00:00+01:00.'
  return 'must be a valid ISO 8601 date-time with a UTC offset.'
}

const timestampError = (problem: string) => validation({ timestamp: [`The timestamp field ${problem}`] })

/** Whether the time can only be read once the device is registered, with the settings of its clock. */
export const isKeptForDevice = (timestamp: string, device: AdminDevice | undefined): boolean =>
  device === undefined && typeof readDeviceTime(timestamp, noClock) === 'string' && isDeviceTime(timestamp)
