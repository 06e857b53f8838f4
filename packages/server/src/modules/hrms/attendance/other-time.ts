import { NewPunch } from '@service/contract'
import { type Micros, microsPerDay } from '../../../core/clock.ts'

// Unknown fields are ignored, except one that is the time of the punch under another name: ignoring it would record the
// time of arrival, which is wrong for a device that was offline.

/** A value that reads as a time. */
interface OtherTime {
  /** Where it is, such as `AccessControllerEvent.time` or `list[0].checktime`. */
  readonly path: string
  readonly value: unknown
  /** How many entries the list has that contains it; 1 outside of lists. */
  readonly entries: number
}

interface Node extends OtherTime {
  /** The name of the field, also for the items of a list. */
  readonly name: string
}

const maxDepth = 4
const maxValues = 1000
const maxTextLength = 64

const ownFields: ReadonlySet<string> = new Set(Object.keys(NewPunch.shape))

/** Finds the values besides the documented fields that read as times, the outermost first. */
export function findOtherTimes(body: unknown, now: Micros): OtherTime[] {
  const found: OtherTime[] = []
  let left = maxValues
  let nodes = childrenOf({ path: '', name: '', value: body, entries: 1 }).filter(({ path }) => !ownFields.has(path))
  for (let depth = 0; depth < maxDepth && nodes.length > 0; depth += 1) {
    found.push(...nodes.filter(({ name, value }) => readsAsTime(name, value, now)))
    left -= nodes.length
    nodes = nodes.flatMap(childrenOf).slice(0, Math.max(left, 0))
  }
  return found
}

function childrenOf({ path, name, value, entries }: Node): Node[] {
  if (typeof value !== 'object' || value === null) return []
  if (!Array.isArray(value))
    return Object.entries(value)
      .slice(0, maxValues)
      .map(([key, child]) => ({ path: path === '' ? key : `${path}.${key}`, name: key, value: child, entries }))
  return value.slice(0, maxValues).map((child, index) => ({
    path: `${path}[${index}]`,
    name,
    value: child,
    entries: Math.max(entries, value.length),
  }))
}

/** Names of other times: of a person, a contract, or the device itself. */
const otherTimes = /birth|born|dob|expir|valid|joined|hired|firmware|build|boot|install|zone/
const timeNames = /time|date|clock|stamp|when|punch|check|scan|swipe|zeit|uhr|datum|hora|fecha|heure/
const timeWords: ReadonlySet<string> = new Set(['at', 'ts', 'day', 'dt', 'epoch', 'in', 'out', 'moment'])
/** Whatever stands there is meant as the time of the punch. */
const punchTimes = /^(?:punch|check|clock|scan|swipe)(?:ed)?_?(?:in_?|out_?)?(?:at|time|date|datetime)$/
const isFilled = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
const identifiers =
  /(?:^|_)(?:id|uid|uuid|no|nr|num|number|pin|card|code|serial|sn|phone|mobile|badge|seq|sequence|count|version)(?:_|$)/

/** Whether a value is a date-time, or a date, a time of day, or an epoch under the name of a time. */
function readsAsTime(name: string, value: unknown, now: Micros): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  if (otherTimes.test(words)) return false
  if (isDateTime(value) || (punchTimes.test(words) && isFilled(value))) return true
  if (identifiers.test(words)) return false
  const isTimeName = timeNames.test(words) || words.split(/[^a-z]/).some((word) => timeWords.has(word))
  if (isTimeName) return isPartOfTime(value) || toEpochMs(value) !== undefined
  const epochMs = typeof value === 'number' ? toEpochMs(value) : undefined
  return epochMs !== undefined && epochMs * 1000 > now - 31 * microsPerDay && epochMs * 1000 < now + microsPerDay
}

const dateTimes = [
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[Tt_]|, ?| +)\d{1,2}[:.]\d{2}/,
  /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?:[Tt_]|, ?| +)\d{1,2}[:.]\d{2}/,
  /^\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?(?:, ?| +)\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/,
  /^20\d{6}[Tt]\d{4}/,
  /^\/Date\(-?\d{10}/,
  /^20\d{6}[ _]\d{4}/,
  /^\d{4}年\d{1,2}月\d{1,2}日/,
  // A line that a device prints.
  /(?:^|[\t;,|])\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?:[\t;,|]|$)/,
]
const monthName = /(?:^|[^a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?:[^a-z]|$)/i

/** Whether a text is a date with a time of day, in any usual form. */
function isDateTime(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > maxTextLength) return false
  const text = value.trim()
  if (dateTimes.some((shape) => shape.test(text))) return true
  return monthName.test(text) && /\d{4}|-\d{2}\b/.test(text) && /\d:\d{2}/.test(text)
}

const partsOfTime = [
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}$/,
  /^\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})$/,
  /^20\d{6}(?:\d{4}|\d{6})?$/,
  /^(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/,
  /^\d{1,2}-[A-Za-z]{3}-\d{2,4}$/,
  /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AaPp][Mm])?$/,
]

/** A date, a time of day, the same without separators, or `[2026, 11, 20, 9, 0]`. */
function isPartOfTime(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length >= 3 && value.length <= 7 && isYear(value[0]) && value.every(Number.isInteger)
  return (
    typeof value === 'string' && value.length <= maxTextLength && partsOfTime.some((shape) => shape.test(value.trim()))
  )
}

const isYear = (value: unknown) => typeof value === 'number' && value >= 2000 && value < 2100

/** Seconds, milliseconds, microseconds, or nanoseconds since 1970, between 2001 and 2100. */
function toEpochMs(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d{10,19}(?:\.\d{1,9})?$/.test(value)) return undefined
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number !== 'number') return undefined
  return [1000, 1, 1e-3, 1e-6].map((factor) => number * factor).find((ms) => ms >= 1e12 && ms < 4_102_444_800_000)
}

/** Whether a text could be the time of a device that sends no UTC offset. */
export const isDeviceTime = (text: string): boolean =>
  isDateTime(text) ||
  toEpochMs(text) !== undefined ||
  partsOfTime.some((shape) => shape.test(text.slice(0, maxTextLength)))
