import { isObject, type JsonObject } from './json.ts'

// Shippers of logs hand on many lines in one body. A format that has lists of its own is read by its reader; these are
// the lists of all others.

const lists = [
  'events',
  'Events',
  'logEvents',
  'records',
  'entries',
  'lines',
  'ls',
  'messages',
  'items',
  'logs',
] as const

/** What an entry has that says something by itself. */
const telling = [
  ...['message', 'msg', 'Message', 'line', 'text', 'error', 'err', 'exception', 'exceptions', 'log', 'level', 'Level'],
  ...['severity', 'MessageTemplate', 'RenderedMessage', '@m', '@mt', '@x', 'event', 'title', 'summary', 'description'],
] as const

const says = (report: JsonObject): boolean => telling.some((key) => Object.hasOwn(report, key))

const isBatch = (list: unknown): list is readonly JsonObject[] =>
  Array.isArray(list) && list.length > 0 && list.every(isObject) && list.some(says)

const mostShared = 20

/** Who sent the lines is said once for all of them. */
const sharedBy = (report: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(report)
      .filter(([, value]) => typeof value === 'string')
      .slice(0, mostShared),
  )

/** The entries of a body that says nothing but what its entries say; null when it is no such body. */
export const batchOf = (report: JsonObject): readonly JsonObject[] | null => {
  const list = lists.map((key) => report[key]).find(isBatch)
  if (list === undefined || says(report)) return null
  const shared = sharedBy(report)
  return list.map((entry) => ({ ...shared, ...entry }))
}
