import { isRecord, type JsonRecord } from '../sanitize/json-path.ts'
import { stackKeys } from './guess/names.ts'
import { keysIn, keysOf } from './json.ts'

// Log shippers send many lines in one body. Formats with their own lists have their own readers; these are
// the lists of all other formats.

const lists = 'events Events logEvents records entries lines ls messages items logs'.split(' ')

/** Fields that make an entry a report. */
const reportKeys = [
  ...['message', 'msg', 'Message', 'line', 'text', 'error', 'err', 'exception', 'exceptions', 'log', 'level', 'Level'],
  ...['reason', 'problem', 'failure', 'fault', 'crash', 'bug', 'error_message', 'errorMessage'],
  ...['severity', 'MessageTemplate', 'RenderedMessage', '@m', '@mt', '@x', 'event', 'title', 'summary', 'description'],
] as const

const isReport = (report: JsonRecord): boolean =>
  reportKeys.some((key) => Object.hasOwn(report, key)) || keysIn(report, stackKeys).length > 0

const isBatch = (list: unknown): list is readonly JsonRecord[] =>
  Array.isArray(list) && list.length > 0 && list.every(isRecord) && list.some(isReport)

const messageKeys = 'message msg text title description summary line log name error'.split(' ')
const markKeys = ['level', 'severity', 'status', 'state', 'time', 'timestamp', '@timestamp', 'date', 'ts'] as const
/** Lists that belong to one report. */
const detailLists =
  /error|exception|frame|stack|trace|breadcrumb|thread|tag|label|field|attachment|block|link|user|commit|cause|detail/i

/** Lists of these are of alerts, whose names and states say enough. */
const alertLists = /^(?:alerts|alarms|monitors|sensors|probes|problems|outages|incidents)$/i
const alertKeys = /^(?:alert|alarm|problem|outage|incident|trigger)(?:_?name|_?status|_?state|_?type)?$/i
const thingKeys =
  /^(?:name|title|label|display_?name|(?:host|device|node|monitor|sensor|check|service|probe)(?:_?name)?)$/i

const hasKey = (entry: JsonRecord, pattern: RegExp): boolean => Object.keys(entry).some((key) => pattern.test(key))

/** Whether each entry names something, and an alert about it, at least as the name of the list. */
const isListOfAlerts = (name: string, list: unknown): list is readonly JsonRecord[] =>
  Array.isArray(list) &&
  list.length > 0 &&
  list.every(isRecord) &&
  list.every((entry) =>
    alertLists.test(name)
      ? hasKey(entry, thingKeys) || hasKey(entry, alertKeys)
      : hasKey(entry, thingKeys) && hasKey(entry, alertKeys),
  )

/** A list under an unknown name contains reports if each entry has a message, and a severity or a time. */
const isListOfReports = (name: string, list: unknown): boolean =>
  isBatch(list) &&
  !detailLists.test(name) &&
  list.every((entry) => [messageKeys, markKeys].every((keys) => keys.some((key) => Object.hasOwn(entry, key))))

const maxShared = 20

/** Fields about the sender apply to all lines. */
const sharedBy = (report: JsonRecord): JsonRecord =>
  Object.fromEntries(
    keysOf(report)
      .filter((key) => typeof report[key] === 'string')
      .slice(0, maxShared)
      .map((key) => [key, report[key]]),
  )

const listIn = (report: JsonRecord): readonly JsonRecord[] | undefined => {
  const named = lists.map((key) => report[key]).find(isBatch)
  if (named !== undefined) return named
  const other = keysOf(report)
    .slice(0, maxShared)
    .find((key) => isListOfReports(key, report[key]))
  const list = other === undefined ? undefined : report[other]
  return isBatch(list) ? list : alertsIn(report)
}

/** Alerts beside the name of a thing, or beside another object, are part of what that is about. */
const alertsIn = (report: JsonRecord): readonly JsonRecord[] | undefined => {
  const [name, ...others] = keysOf(report).filter((key) => typeof report[key] === 'object' && report[key] !== null)
  const list = name === undefined || others.length > 0 || hasKey(report, thingKeys) ? undefined : report[name]
  return name !== undefined && isListOfAlerts(name, list) ? list : undefined
}

/** Most reports contain no list, so they are checked once. */
const isFlat = (report: JsonRecord): boolean => !keysOf(report).some((key) => typeof report[key] === 'object')

/** The entries of a body that only wraps them; null for other bodies. */
export const unwrapBatch = (report: JsonRecord): readonly JsonRecord[] | null => {
  if (isFlat(report) || isReport(report)) return null
  const wrapped = ['data', 'payload', 'body'].map((key) => report[key]).filter(isRecord)
  const list = [report, ...wrapped].map(listIn).find((entries) => entries !== undefined)
  if (list === undefined) return null
  const shared = sharedBy(report)
  return list.map((entry) => ({ ...shared, ...entry }))
}
